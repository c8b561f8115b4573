package io.filament.sink.s3.internal.encode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.temporal.Temporal;
import java.util.UUID;

/** Shows values in messages, shortened: a record's value may be as large as the heap. */
final class Excerpt {

  static final int MAX_CHARS = 80;

  /** From here on, writing a number's digits only to cut them would take longer than it helps. */
  private static final int MAX_BITS = 4096;

  private Excerpt() {}

  /** Returns the value's class, and the value where that is a plain one. */
  static String withClass(Object value) {
    String text = of(value);
    String type = value.getClass().getTypeName();
    return text.equals(type) ? type : type + " " + text;
  }

  /** Returns the value where it is a plain one, else its class: no host's code is run. */
  static String of(Object value) {
    if (value instanceof CharSequence text) {
      return quoted(text);
    }
    if (value instanceof BigDecimal number && isLong(number.unscaledValue())) {
      return "a number of about " + digits(number.unscaledValue()) + " digits";
    }
    if (value instanceof BigInteger number && isLong(number)) {
      return "a number of about " + digits(number) + " digits";
    }
    if (isPlain(value)) {
      return shortened(value.toString());
    }
    return value.getClass().getTypeName();
  }

  /** Returns UTF-8 text in quotes. */
  static String ofUtf8(byte[] bytes, int from, int to) {
    // No character takes more than four bytes, so this is enough for the excerpt.
    int count = Math.min(to - from, 4 * (MAX_CHARS + 1));
    return quoted(new String(bytes, from, count, StandardCharsets.UTF_8));
  }

  /** Returns the text, cut where it is too long, with its control characters made visible. */
  static String shortened(CharSequence text) {
    StringBuilder shown = new StringBuilder();
    int end = Math.min(text.length(), MAX_CHARS);
    if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        shown.append(String.format("\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return end < text.length() ? shown.append("...").toString() : shown.toString();
  }

  private static String quoted(CharSequence text) {
    return "\"" + shortened(text) + "\"";
  }

  private static boolean isPlain(Object value) {
    return value instanceof Boolean
        || value instanceof Character
        || value instanceof UUID
        || isOfPackage(value, Number.class, "java.lang.")
        || isOfPackage(value, Number.class, "java.math.")
        || isOfPackage(value, Temporal.class, "java.time.");
  }

  private static boolean isOfPackage(Object value, Class<?> kind, String prefix) {
    return kind.isInstance(value) && value.getClass().getName().startsWith(prefix);
  }

  private static boolean isLong(BigInteger number) {
    return number.bitLength() > MAX_BITS;
  }

  private static long digits(BigInteger number) {
    return Math.round(number.bitLength() * Math.log10(2));
  }
}

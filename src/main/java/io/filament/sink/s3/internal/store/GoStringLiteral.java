package io.filament.sink.s3.internal.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** String literals of Go, in double quotes or back quotes (Go specification, string literals). */
final class GoStringLiteral {

  private static final String SHORT_ESCAPES = "abfnrtv\\\"";
  private static final String SHORT_VALUES = "\u0007\b\f\n\r\t\u000b\\\"";

  private final String source;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int position = 1;

  private GoStringLiteral(String source) {
    this.source = source;
  }

  /** Returns the index after the literal that begins at {@code start}, or -1 if it doesn't end. */
  static int end(String text, int start) {
    char quote = text.charAt(start);
    for (int i = start + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == quote) {
        return i + 1;
      }
      if (quote == '"' && c == '\\') {
        i++;
      }
      if (quote == '"' && i < text.length() && text.charAt(i) == '\n') {
        return -1;
      }
    }
    return -1;
  }

  /**
   * Returns what a whole literal, with its quotes, stands for.
   *
   * @throws IllegalArgumentException if an escape is none of Go's, or if the bytes are not UTF-8
   */
  static String value(String literal) {
    if (literal.startsWith("`")) {
      // Go drops carriage returns from raw strings.
      return literal.substring(1, literal.length() - 1).replace("\r", "");
    }
    return new GoStringLiteral(literal).interpreted();
  }

  private String interpreted() {
    while (position < source.length() - 1) {
      int codePoint = source.codePointAt(position);
      if (codePoint == '\\') {
        escape();
      } else {
        append(codePoint);
        position += Character.charCount(codePoint);
      }
    }
    try {
      ByteBuffer utf8 = ByteBuffer.wrap(bytes.toByteArray());
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the string " + shown() + " is not UTF-8", e);
    }
  }

  private void escape() {
    char kind = source.charAt(position + 1);
    int simple = SHORT_ESCAPES.indexOf(kind);
    if (simple >= 0) {
      bytes.write(SHORT_VALUES.charAt(simple));
      position += 2;
      return;
    }
    switch (kind) {
      case 'x' -> bytes.write((int) number(2, 2, 16));
      case 'u' -> append(number(2, 4, 16));
      case 'U' -> append(number(2, 8, 16));
      case '0', '1', '2', '3', '4', '5', '6', '7' -> bytes.write((int) number(1, 3, 8));
      default -> throw unknownEscape(position + 2);
    }
  }

  /** Reads the digits of an escape, which follow {@code lead} characters, and ends the escape. */
  private long number(int lead, int digits, int radix) {
    int end = position + lead + digits;
    if (end >= source.length()) {
      throw unknownEscape(source.length() - 1);
    }
    String number = source.substring(position + lead, end);
    // Long.parseLong takes signs and the digits of other scripts, which Go does not.
    if (!number.chars().allMatch(HexFormat::isHexDigit)) {
      throw unknownEscape(end);
    }
    try {
      long value = Long.parseLong(number, radix);
      if (radix == 8 && value > 0xff) {
        throw unknownEscape(end);
      }
      position = end;
      return value;
    } catch (NumberFormatException e) {
      throw unknownEscape(end);
    }
  }

  private void append(long codePoint) {
    if (codePoint > Character.MAX_CODE_POINT
        || Character.getType((int) codePoint) == Character.SURROGATE) {
      throw new IllegalArgumentException(
          "the string %s holds U+%04X, which is no character".formatted(shown(), codePoint));
    }
    bytes.writeBytes(Character.toString((int) codePoint).getBytes(StandardCharsets.UTF_8));
  }

  private IllegalArgumentException unknownEscape(int end) {
    return new IllegalArgumentException(
        "Go has no escape " + VisibleText.quoted(source.substring(position, end)) + " in strings");
  }

  private String shown() {
    return VisibleText.quoted(source.substring(1, source.length() - 1));
  }
}

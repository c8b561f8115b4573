package io.filament.sink.s3.internal.encode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text of a NUMERIC. A number's one form has all its digits, those after the point included,
 * and is a number of JSON: plain, or scientific where the plain form would have more than {@value
 * #MAX_PLAIN_DIGITS} digits. Equal {@link java.math.BigDecimal}s and texts get the same form.
 */
final class NumericText {

  /** A number with a large exponent is a short text; its plain form could fill all memory. */
  static final int MAX_PLAIN_DIGITS = 400;

  private static final byte[][] SPECIALS = {
    "NaN".getBytes(StandardCharsets.US_ASCII),
    "Infinity".getBytes(StandardCharsets.US_ASCII),
    "-Infinity".getBytes(StandardCharsets.US_ASCII)
  };

  /** An exponent beyond this is refused whatever the digits are; it keeps sums within a long. */
  private static final long EXPONENT_CAP = 1L << 40;

  // The number that was read: digits (without leading zeros) times ten to the power of -scale.
  private byte[] digits = new byte[64];
  private int count;
  private long scale;
  private boolean negative;

  // How far it is read.
  private byte[] text = new byte[0];
  private int at;
  private int end;

  /** Refuses the text from {@code start} on if it is no number; else brings it into its form. */
  void canonicalize(Vector.Bytes to, int start) {
    text = to.array();
    at = start;
    end = to.position();
    if (isSpecial(start)) {
      return;
    }
    if (!read()) {
      throw new UnfitValueException(
          Excerpt.ofUtf8(text, start, end)
              + " is no decimal number, nor NaN, Infinity or -Infinity");
    }
    long exponent = count - 1 - scale;
    if (exponent != (int) exponent) {
      throw new UnfitValueException(
          Excerpt.ofUtf8(text, start, end)
              + " has an exponent out of the range "
              + Integer.MIN_VALUE
              + " to "
              + Integer.MAX_VALUE);
    }
    to.position(start);
    write(to);
  }

  private boolean isSpecial(int start) {
    for (byte[] special : SPECIALS) {
      if (Arrays.equals(text, start, end, special, 0, special.length)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads sign, digits, point, digits, exponent; returns false where the text is something else.
   */
  private boolean read() {
    count = 0;
    scale = 0;
    negative = at < end && text[at] == '-';
    if (at < end && (text[at] == '-' || text[at] == '+')) {
      at++;
    }
    int integerDigits = readDigits();
    int fractionDigits = 0;
    if (at < end && text[at] == '.') {
      at++;
      fractionDigits = readDigits();
    }
    if (integerDigits + fractionDigits == 0) {
      return false;
    }
    scale = fractionDigits;
    if (at < end && (text[at] | 0x20) == 'e') {
      at++;
      if (!readExponent()) {
        return false;
      }
    }
    if (count == 0) {
      zero();
    }
    return at == end;
  }

  /** Zero has no sign, and no digits before the point but one. */
  private void zero() {
    digits[count++] = '0';
    scale = Math.max(scale, 0);
    negative = false;
  }

  private int readDigits() {
    int start = at;
    for (; at < end && isDigit(text[at]); at++) {
      if (count > 0 || text[at] != '0') {
        if (count == digits.length) {
          digits = Arrays.copyOf(digits, Vector.grown(count, count + 1L));
        }
        digits[count++] = text[at];
      }
    }
    return at - start;
  }

  private boolean readExponent() {
    boolean minus = at < end && text[at] == '-';
    if (at < end && (text[at] == '-' || text[at] == '+')) {
      at++;
    }
    int start = at;
    long exponent = 0;
    for (; at < end && isDigit(text[at]); at++) {
      exponent = Math.min(EXPONENT_CAP, 10 * exponent + text[at] - '0');
    }
    scale -= minus ? -exponent : exponent;
    return at > start;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private void write(Vector.Bytes to) {
    if (negative) {
      put('-', to);
    }
    long plainDigits = scale <= 0 ? count - scale : Math.max(count, scale + 1);
    if (plainDigits > MAX_PLAIN_DIGITS) {
      writeScientific(to);
    } else if (scale <= 0) {
      to.put(digits, 0, count);
      putZeros((int) -scale, to);
    } else {
      int integerDigits = (int) Math.max(0, count - scale);
      if (integerDigits == 0) {
        put('0', to);
      }
      to.put(digits, 0, integerDigits);
      put('.', to);
      putZeros((int) Math.max(0, scale - count), to);
      to.put(digits, integerDigits, count - integerDigits);
    }
  }

  private void writeScientific(Vector.Bytes to) {
    to.put(digits, 0, 1);
    if (count > 1) {
      put('.', to);
      to.put(digits, 1, count - 1);
    }
    long exponent = count - 1 - scale;
    byte[] tail = ((exponent < 0 ? "E" : "E+") + exponent).getBytes(StandardCharsets.US_ASCII);
    to.put(tail, 0, tail.length);
  }

  private static void put(char c, Vector.Bytes to) {
    to.ensure(1)[to.position()] = (byte) c;
    to.position(to.position() + 1);
  }

  private static void putZeros(int count, Vector.Bytes to) {
    int start = to.position();
    Arrays.fill(to.ensure(count), start, start + count, (byte) '0');
    to.position(start + count);
  }
}

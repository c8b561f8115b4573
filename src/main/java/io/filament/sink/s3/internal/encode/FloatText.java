package io.filament.sink.s3.internal.encode;

/**
 * The text of floating-point numbers: the fewest digits from which the same number is read again,
 * plain from 1E-7 to below 1E21 with at least one digit after the point, scientific elsewhere. It
 * is the same on every JDK: Double.toString gives more digits before JDK 19.
 */
final class FloatText {

  private static final int MIN_PLAIN_EXPONENT = -7;
  private static final int MAX_PLAIN_EXPONENT = 20;

  private static final Layout DOUBLE = new Layout(52, 0x7FF, -1074, 3);
  private static final Layout FLOAT = new Layout(23, 0xFF, -149, 8);

  /** Below it, a number of six decimals has at most 15 digits. */
  private static final double FEW_BOUND = 1e9;

  private static final double FEW_POWER = 1e6;

  private FloatText() {}

  static void put(double value, TextBuffer to) {
    if (!Double.isFinite(value)) {
      to.put(Double.toString(value));
      return;
    }
    long bits = Double.doubleToRawLongBits(value);
    if (bits < 0) {
      to.put('-');
    }
    if (!putFewDecimals(Math.abs(value), to)) {
      put(bits, DOUBLE, to);
    }
  }

  static void put(float value, TextBuffer to) {
    if (!Float.isFinite(value)) {
      to.put(Float.toString(value));
      return;
    }
    int bits = Float.floatToRawIntBits(value);
    if (bits < 0) {
      to.put('-');
    }
    if (value == 0) {
      to.put("0.0");
    } else {
      put(bits, FLOAT, to);
    }
  }

  /**
   * How a binary number is stored.
   *
   * @param fractionBits the bits without the one that a normal number has and doesn't store
   * @param exponentMask the bits of the exponent, which stand above
   * @param minExponent the exponent of two of the least number
   * @param tiny the first multiple of the least number whose decimal has two digits
   */
  private record Layout(int fractionBits, int exponentMask, int minExponent, int tiny) {}

  /**
   * Puts a number of few decimals, such as a price, and returns whether it was one. Two decimals of
   * at most 15 digits are never the same double, so the one found is the shortest; and a quotient
   * of whole numbers that are doubles is rounded as the reading of the decimal is.
   */
  private static boolean putFewDecimals(double magnitude, TextBuffer to) {
    if (magnitude >= FEW_BOUND) {
      return false;
    }
    double scaled = Math.rint(magnitude * FEW_POWER);
    if (scaled / FEW_POWER != magnitude) {
      return false;
    }
    long units = (long) scaled;
    long whole = units / (long) FEW_POWER;
    to.putLong(whole);
    to.put('.');
    to.putMillionths((int) (units - whole * (long) FEW_POWER));
    return true;
  }

  /** Puts a number that is finite and not zero, without its sign. */
  private static void put(long bits, Layout layout, TextBuffer to) {
    long hidden = 1L << layout.fractionBits;
    long fraction = bits & (hidden - 1);
    int exponentBits = (int) (bits >>> layout.fractionBits) & layout.exponentMask;
    int q = layout.minExponent - 1 + Math.max(1, exponentBits);
    if (exponentBits > 0) {
      boolean evenlySpaced = fraction != 0 || exponentBits == 1;
      int k = ShortestDecimal.exponent(q, evenlySpaced);
      layOut(ShortestDecimal.digits(hidden | fraction, q, k, evenlySpaced), k, to);
      return;
    }
    int k = ShortestDecimal.exponent(q, true);
    if (fraction < layout.tiny) {
      // One more digit is asked for, since Java's form never has one alone.
      layOut(ShortestDecimal.digits(10 * fraction, q, k, true), k - 1, to);
    } else {
      layOut(ShortestDecimal.digits(fraction, q, k, true), k, to);
    }
  }

  /** Puts digits times ten to the power of an exponent. */
  private static void layOut(long digits, int exponent, TextBuffer to) {
    long shortest = digits;
    int rest = exponent;
    while (shortest % 10 == 0) {
      shortest /= 10;
      rest++;
    }
    int count = TextBuffer.digits(shortest);
    int leading = rest + count - 1; // the exponent of the first digit
    if (leading < MIN_PLAIN_EXPONENT || leading > MAX_PLAIN_EXPONENT) {
      putPoint(shortest, count, 1, to);
      to.put('E');
      to.putLong(leading);
    } else if (leading < 0) {
      to.put("0.");
      to.putZeros(-leading - 1);
      to.putDigits(shortest, count);
    } else if (rest >= 0) {
      to.putDigits(shortest, count);
      to.putZeros(rest);
      to.put(".0");
    } else {
      putPoint(shortest, count, leading + 1, to);
    }
  }

  /** Puts a point after so many of the digits, and a zero behind it if nothing else is there. */
  private static void putPoint(long digits, int count, int before, TextBuffer to) {
    to.putDigits(digits, count);
    to.putPoint(count, before);
    if (before == count) {
      to.put('0');
    }
  }
}

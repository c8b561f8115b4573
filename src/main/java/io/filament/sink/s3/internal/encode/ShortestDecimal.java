package io.filament.sink.s3.internal.encode;

import java.math.BigInteger;

/**
 * Finds the decimal number of fewest digits that is read back as a given binary one, and of several
 * the nearest to it. Raffaello Giulietti's "The Schubfach way to render doubles" has the proofs.
 *
 * <p>A number is {@code c} times two to the power of {@code q}, and its decimal an integer times
 * ten to the power of {@link #exponent}. The numbers that are read back as it reach half way to its
 * neighbours. {@code k} is chosen such that this interval holds at least one multiple of ten to the
 * power of {@code k} and at most one of ten to the power of {@code k + 1}. Of a single digit there
 * are then two: the JDK takes 4.9E-324 and not 5E-324, and so does this.
 */
final class ShortestDecimal {

  private static final int MIN_EXPONENT = -324;
  private static final int MAX_EXPONENT = 292;

  /** The bits of a power of ten that are kept: two words without their signs. */
  private static final int POWER_BITS = 126;

  private static final int WORD_BITS = 63;
  private static final long WORD_MASK = Long.MAX_VALUE;

  /** Ten to the power of -k, scaled to 126 bits and rounded up: upper and lower word by k. */
  private static final long[] UPPER = new long[MAX_EXPONENT - MIN_EXPONENT + 1];

  private static final long[] LOWER = new long[UPPER.length];

  static {
    for (int k = MIN_EXPONENT; k <= MAX_EXPONENT; k++) {
      BigInteger scaled = scaledPowerOfTen(-k).add(BigInteger.ONE);
      UPPER[k - MIN_EXPONENT] = scaled.shiftRight(WORD_BITS).longValueExact();
      LOWER[k - MIN_EXPONENT] = scaled.longValue() & WORD_MASK;
    }
  }

  private ShortestDecimal() {}

  private static BigInteger scaledPowerOfTen(int exponent) {
    int shift = POWER_BITS - 1 - log2OfPowerOfTen(exponent);
    BigInteger power = BigInteger.TEN.pow(Math.abs(exponent));
    return exponent >= 0 ? power.shiftLeft(shift) : BigInteger.ONE.shiftLeft(shift).divide(power);
  }

  /**
   * Returns the exponent of ten.
   *
   * @param evenlySpaced whether the neighbours below and above are equally far: not for a power of
   *     two
   */
  static int exponent(int q, boolean evenlySpaced) {
    // floor(log10(2^q)) and floor(log10(3/4 * 2^q)): exact for all exponents of a double.
    return (int)
        (evenlySpaced
            ? (q * 661_971_961_083L) >> 41
            : (q * 661_971_961_083L - 274_743_187_321L) >> 41);
  }

  /** Returns floor(log2(10^exponent)): exact for all exponents that there are. */
  private static int log2OfPowerOfTen(int exponent) {
    return (int) ((exponent * 913_124_641_741L) >> 38);
  }

  /** Returns the decimal's integer, perhaps with zeros at its end. */
  static long digits(long c, int q, int k, boolean evenlySpaced) {
    long upper = UPPER[k - MIN_EXPONENT];
    long lower = LOWER[k - MIN_EXPONENT];
    int shift = q + log2OfPowerOfTen(-k) + 2;
    // All four times the true value, which keeps the half and the quarter of a unit.
    long value = scaled(upper, lower, (4 * c) << shift);
    long low = scaled(upper, lower, (evenlySpaced ? 4 * c - 2 : 4 * c - 1) << shift);
    long high = scaled(upper, lower, (4 * c + 2) << shift);
    // Half-way numbers are read back as the even neighbour, so they belong to an even one.
    if ((c & 1) != 0) {
      low++;
      high--;
    }
    long below = value >> 2;
    if (below >= 100) { // one digit less, if that is in the interval
      long shortBelow = below / 10 * 10;
      long shortAbove = shortBelow + 10;
      boolean isBelowIn = low <= 4 * shortBelow;
      if (isBelowIn != (4 * shortAbove <= high)) {
        return isBelowIn ? shortBelow : shortAbove;
      }
    }
    long above = below + 1;
    boolean isBelowIn = low <= 4 * below;
    if (isBelowIn != (4 * above <= high)) {
      return isBelowIn ? below : above;
    }
    long beyondMiddle = value - 2 * (below + above);
    boolean isBelowNearer = beyondMiddle < 0 || (beyondMiddle == 0 && (below & 1) == 0);
    return isBelowNearer ? below : above;
  }

  /**
   * Returns a factor times a power of ten, without its lower 127 bits. If they aren't zero, the
   * last bit is set, which keeps all comparisons with whole numbers right.
   */
  private static long scaled(long upper, long lower, long factor) {
    long middle = ((upper * factor) >>> 1) + Math.multiplyHigh(lower, factor);
    long whole = Math.multiplyHigh(upper, factor) + (middle >>> WORD_BITS);
    return (middle & WORD_MASK) == 0 ? whole : whole | 1;
  }
}

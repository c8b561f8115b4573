package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.filament.sink.FieldType.DecimalType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

/** Intakes of decimals: the same value or none. */
final class DecimalIntakes {

  /** The bytes of an unscaled value of more than 18 digits; 38 digits need 127 bits. */
  static final int LARGE_BYTES = 16;

  private DecimalIntakes() {}

  /** Up to 18 digits, whose unscaled value fits a long. */
  static final class OfLong implements Intake.OfLongs {

    private final DecimalType type;
    private final Vector.Longs to;
    private final long bound;

    OfLong(DecimalType type, Vector.Longs to) {
      this.type = type;
      this.to = to;
      this.bound = BigInteger.TEN.pow(type.precision()).longValueExact();
    }

    @Override
    public void take(Object value) {
      to.add(unscaled(value, type).longValueExact());
    }

    @Override
    public void takeLong(long unscaled) {
      if (unscaled <= -bound || unscaled >= bound) {
        throw overflow(BigDecimal.valueOf(unscaled, type.scale()), type);
      }
      to.add(unscaled);
    }

    @Override
    public long min() {
      return 1 - bound;
    }

    @Override
    public long max() {
      return bound - 1;
    }
  }

  /** Over 18 digits, as 16 bytes of big-endian two's complement. */
  record OfBytes16(DecimalType type, Vector.Bytes to) implements Intake {

    @Override
    public void take(Object value) {
      byte[] shortest = unscaled(value, type).toByteArray();
      byte[] bytes = to.ensure(LARGE_BYTES);
      int start = to.position();
      int end = start + LARGE_BYTES;
      Arrays.fill(bytes, start, end - shortest.length, (byte) (shortest[0] < 0 ? -1 : 0));
      System.arraycopy(shortest, 0, bytes, end - shortest.length, shortest.length);
      to.position(end);
      to.endValue();
    }
  }

  /** Returns the value times ten to the power of the scale, which has at most 38 digits. */
  private static BigInteger unscaled(Object value, DecimalType type) {
    BigDecimal number = exact(value, type);
    if (number.signum() == 0) {
      return BigInteger.ZERO;
    }
    // In longs, and before any rescaling: a scale may be near the ends of an int, and rescaling
    // 1E+1000000000 would take all memory.
    long integerDigits = (long) number.precision() - number.scale();
    if (integerDigits > type.precision() - type.scale()) {
      throw overflow(number, type);
    }
    long droppedDigits = (long) number.scale() - type.scale();
    if (droppedDigits >= number.precision()) {
      throw lostDigits(number, type);
    }
    try {
      return number.setScale(type.scale(), RoundingMode.UNNECESSARY).unscaledValue();
    } catch (ArithmeticException e) {
      throw lostDigits(number, type);
    }
  }

  private static BigDecimal exact(Object value, DecimalType type) {
    if (value instanceof BigDecimal number) {
      return number;
    }
    if (value instanceof BigInteger number) {
      return new BigDecimal(number);
    }
    if (NumberIntakes.isSmallWhole(value)) {
      return BigDecimal.valueOf(((Number) value).longValue());
    }
    // A double stands for the shortest decimal that gives it: 19.99 and not
    // 19.989999999999998436805981327779591083526611328125. A float is refused, since it is mostly a
    // number of more digits that somebody has cut.
    if (value instanceof Double number && Double.isFinite(number)) {
      return new BigDecimal(NumberOutput.toString(number.doubleValue(), true));
    }
    throw Intake.wrongClass(label(type) + " takes a BigDecimal, a whole number or a Double", value);
  }

  private static UnfitValueException overflow(BigDecimal number, DecimalType type) {
    return new UnfitValueException(
        Excerpt.of(number)
            + " has more digits before the point than the "
            + (type.precision() - type.scale())
            + " of "
            + label(type));
  }

  private static UnfitValueException lostDigits(BigDecimal number, DecimalType type) {
    return new UnfitValueException(
        Excerpt.of(number)
            + " has more digits after the point than the "
            + type.scale()
            + " of "
            + label(type));
  }

  private static String label(DecimalType type) {
    return "decimal(" + type.precision() + "," + type.scale() + ")";
  }
}

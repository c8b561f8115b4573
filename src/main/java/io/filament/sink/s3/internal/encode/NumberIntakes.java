package io.filament.sink.s3.internal.encode;

import java.math.BigInteger;

/** Intakes of BOOLEAN, the integers and the floating-point types. */
final class NumberIntakes {

  private NumberIntakes() {}

  static Intake int16(Vector.Longs to) {
    return new OfInteger("INT16", Short.MIN_VALUE, Short.MAX_VALUE, to);
  }

  static Intake int32(Vector.Longs to) {
    return new OfInteger("INT32", Integer.MIN_VALUE, Integer.MAX_VALUE, to);
  }

  static Intake int64(Vector.Longs to) {
    return new OfInteger("INT64", Long.MIN_VALUE, Long.MAX_VALUE, to);
  }

  /** Returns whether the class holds whole numbers that fit a long. */
  static boolean isSmallWhole(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte;
  }

  record OfBoolean(Vector.Longs to) implements Intake.OfLongs {

    @Override
    public void take(Object value) {
      if (!(value instanceof Boolean bool)) {
        throw Intake.wrongClass("BOOLEAN takes a Boolean", value);
      }
      to.add(bool ? 1 : 0);
    }

    @Override
    public void takeLong(long value) {
      if (value != 0 && value != 1) {
        throw new UnfitValueException(value + " is neither 0 (false) nor 1 (true)");
      }
      to.add(value);
    }

    @Override
    public long min() {
      return 0;
    }

    @Override
    public long max() {
      return 1;
    }
  }

  /** Takes every class of whole numbers, because drivers choose wider ones than their columns. */
  record OfInteger(String type, long min, long max, Vector.Longs to) implements Intake.OfLongs {

    @Override
    public void take(Object value) {
      if (isSmallWhole(value)) {
        takeLong(((Number) value).longValue());
      } else if (value instanceof BigInteger big) {
        if (big.bitLength() >= Long.SIZE) {
          throw outOfRange(Excerpt.of(big));
        }
        takeLong(big.longValue());
      } else {
        throw Intake.wrongClass(type + " takes whole numbers", value);
      }
    }

    @Override
    public void takeLong(long value) {
      if (value < min || value > max) {
        throw outOfRange(Long.toString(value));
      }
      to.add(value);
    }

    private UnfitValueException outOfRange(String value) {
      return new UnfitValueException(
          value + " is out of the range of " + type + ", " + min + " to " + max);
    }
  }

  /** NaN has many bit patterns; one is kept, so that equal records give equal bytes. */
  record OfFloat32(Vector.Longs to) implements Intake.OfDoubles {

    @Override
    public void take(Object value) {
      if (value instanceof Float number) {
        add(number);
      } else if (value instanceof Double number) {
        takeDouble(number);
      } else {
        throw Intake.wrongClass("FLOAT32 takes a Float", value);
      }
    }

    @Override
    public void takeDouble(double value) {
      float narrow = (float) value;
      if (narrow != value && !Double.isNaN(value)) {
        throw new UnfitValueException("FLOAT32 can't hold " + value + " exactly");
      }
      add(narrow);
    }

    private void add(float value) {
      to.add(Float.floatToIntBits(value));
    }
  }

  /** See {@link OfFloat32} on NaN. */
  record OfFloat64(Vector.Longs to) implements Intake.OfDoubles {

    @Override
    public void take(Object value) {
      if (!(value instanceof Double || value instanceof Float)) {
        throw Intake.wrongClass("FLOAT64 takes a Double", value);
      }
      takeDouble(((Number) value).doubleValue());
    }

    @Override
    public void takeDouble(double value) {
      to.add(Double.doubleToLongBits(value));
    }
  }
}

package io.filament.sink.s3.internal.encode;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Intakes of dates and times, to the microsecond. No time zone of the JVM is ever asked. */
final class TimeIntakes {

  static final long MICROS_A_SECOND = 1_000_000;
  static final long MICROS_A_DAY = 86_400 * MICROS_A_SECOND;
  private static final int NANOS_A_MICRO = 1_000;

  private TimeIntakes() {}

  /** Days that fit an int, which is what a DATE of Parquet holds. */
  record OfDate(Vector.Longs to) implements Intake.OfLongs {

    @Override
    public void take(Object value) {
      if (!(value instanceof LocalDate date)) {
        throw Intake.wrongClass("DATE takes a LocalDate", value);
      }
      add(date.toEpochDay(), date);
    }

    @Override
    public void takeLong(long epochDay) {
      add(epochDay, epochDay);
    }

    @Override
    public long min() {
      return Integer.MIN_VALUE;
    }

    @Override
    public long max() {
      return Integer.MAX_VALUE;
    }

    private void add(long epochDay, Object value) {
      if (epochDay != (int) epochDay) {
        throw new UnfitValueException(
            Excerpt.of(value)
                + " is out of the range of DATE, "
                + LocalDate.ofEpochDay(Integer.MIN_VALUE)
                + " to "
                + LocalDate.ofEpochDay(Integer.MAX_VALUE));
      }
      to.add(epochDay);
    }
  }

  record OfTime(Vector.Longs to) implements Intake.OfLongs {

    @Override
    public void take(Object value) {
      if (!(value instanceof LocalTime time)) {
        throw Intake.wrongClass("TIME takes a LocalTime", value);
      }
      to.add(micros(time.toNanoOfDay(), time));
    }

    @Override
    public void takeLong(long microOfDay) {
      if (microOfDay < 0 || microOfDay >= MICROS_A_DAY) {
        throw new UnfitValueException(
            microOfDay + " microseconds is no time of day, 0 to " + (MICROS_A_DAY - 1));
      }
      to.add(microOfDay);
    }

    @Override
    public long min() {
      return 0;
    }

    @Override
    public long max() {
      return MICROS_A_DAY - 1;
    }
  }

  record OfTimestamp(Vector.Longs to) implements Intake.OfLongs {

    @Override
    public void take(Object value) {
      if (!(value instanceof LocalDateTime time)) {
        throw Intake.wrongClass("TIMESTAMP takes a LocalDateTime", value);
      }
      to.add(epochMicros(time.toInstant(ZoneOffset.UTC), time));
    }

    @Override
    public void takeLong(long epochMicros) {
      to.add(epochMicros);
    }

    @Override
    public long min() {
      return Long.MIN_VALUE;
    }

    @Override
    public long max() {
      return Long.MAX_VALUE;
    }
  }

  record OfTimestamptz(Vector.Longs to) implements Intake.OfLongs {

    @Override
    public void take(Object value) {
      if (value instanceof Instant time) {
        to.add(epochMicros(time, time));
      } else if (value instanceof OffsetDateTime time) {
        to.add(epochMicros(time.toInstant(), time));
      } else if (value instanceof ZonedDateTime time) {
        to.add(epochMicros(time.toInstant(), time));
      } else {
        throw Intake.wrongClass(
            "TIMESTAMPTZ takes an Instant, OffsetDateTime or ZonedDateTime", value);
      }
    }

    @Override
    public void takeLong(long epochMicros) {
      to.add(epochMicros);
    }

    @Override
    public long min() {
      return Long.MIN_VALUE;
    }

    @Override
    public long max() {
      return Long.MAX_VALUE;
    }
  }

  private static long micros(long nanos, Object value) {
    if (nanos % NANOS_A_MICRO != 0) {
      throw new UnfitValueException(
          Excerpt.of(value)
              + " is finer than a microsecond (truncatedTo(ChronoUnit.MICROS) makes it fit)");
    }
    return nanos / NANOS_A_MICRO;
  }

  private static long epochMicros(Instant instant, Object value) {
    long epochSecond = instant.getEpochSecond();
    long micros = micros(instant.getNano(), value);
    try {
      // Below zero the whole seconds alone may be too many where second and fraction together fit.
      return epochSecond >= 0
          ? Math.addExact(Math.multiplyExact(epochSecond, MICROS_A_SECOND), micros)
          : Math.addExact(
              Math.multiplyExact(epochSecond + 1, MICROS_A_SECOND), micros - MICROS_A_SECOND);
    } catch (ArithmeticException e) {
      throw new UnfitValueException(
          Excerpt.of(value)
              + " is further from 1970 than a count of microseconds holds, about 292,271 years");
    }
  }
}

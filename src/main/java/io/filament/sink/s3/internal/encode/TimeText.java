package io.filament.sink.s3.internal.encode;

import java.time.LocalDate;

/**
 * The text of dates and times in ISO 8601. Years outside 0000 to 9999 have a sign, as java.time
 * writes and reads them; seconds are always there; a fraction has six digits or is left out.
 */
final class TimeText {

  private static final int YEAR_DIGITS = 4;
  private static final int MAX_PLAIN_YEAR = 9999;

  private TimeText() {}

  static void putDate(long epochDay, TextBuffer to) {
    LocalDate date = LocalDate.ofEpochDay(epochDay);
    int year = date.getYear();
    if (year > MAX_PLAIN_YEAR) {
      to.put('+');
    } else if (year < 0) {
      to.put('-');
    }
    int yearOfSign = Math.abs(year);
    if (yearOfSign > MAX_PLAIN_YEAR) {
      to.putLong(yearOfSign);
    } else {
      to.putPadded(yearOfSign, YEAR_DIGITS);
    }
    to.put('-');
    to.putPadded(date.getMonthValue(), 2);
    to.put('-');
    to.putPadded(date.getDayOfMonth(), 2);
  }

  static void putTime(long microOfDay, TextBuffer to) {
    int second = (int) (microOfDay / TimeIntakes.MICROS_A_SECOND);
    int micro = (int) (microOfDay % TimeIntakes.MICROS_A_SECOND);
    to.putPadded(second / 3600, 2);
    to.put(':');
    to.putPadded(second / 60 % 60, 2);
    to.put(':');
    to.putPadded(second % 60, 2);
    if (micro != 0) {
      to.put('.');
      to.putPadded(micro, 6);
    }
  }

  /** Puts date and time of a count of microseconds since 1970, also before it. */
  static void putTimestamp(long epochMicros, TextBuffer to) {
    putDate(Math.floorDiv(epochMicros, TimeIntakes.MICROS_A_DAY), to);
    to.put('T');
    putTime(Math.floorMod(epochMicros, TimeIntakes.MICROS_A_DAY), to);
  }
}

package io.filament.sink.s3.internal.encode;

/**
 * The text of dates and times in ISO 8601. Years outside 0000 to 9999 have a sign, as java.time
 * writes and reads them; seconds are always there; a fraction has six digits or is left out.
 *
 * <p>Keeps the text of the last day, since the timestamps of records are mostly near each other.
 * Used by one thread at a time.
 */
final class TimeText {

  private static final int YEAR_DIGITS = 4;
  private static final int MAX_PLAIN_YEAR = 9999;

  /** The calendar repeats itself after 400 years. */
  private static final int YEARS_A_CYCLE = 400;

  private static final int DAYS_A_CYCLE = 146_097;

  /** The days from March 1st of the year 0 to 1970. */
  private static final int DAYS_TO_EPOCH = 719_468;

  private static final int DAYS_A_CENTURY = 36_524;
  private static final int DAYS_A_FOUR_YEARS = 1_460;
  private static final int DAYS_A_YEAR = 365;

  /** The days of the five months from March to July, and again of those from August. */
  private static final int DAYS_OF_FIVE_MONTHS = 153;

  /** The length of 12:34:56. */
  private static final int SECONDS_LENGTH = 8;

  /** Two words are more than the longest text has, +5881580-07-11. */
  private final byte[] lastText = new byte[2 * Long.BYTES];

  private int lastLength;
  private long lastDay = Long.MIN_VALUE;

  void putDate(long epochDay, TextBuffer to) {
    if (epochDay != lastDay) {
      int start = to.length();
      putNewDate(epochDay, to);
      lastLength = to.length() - start;
      System.arraycopy(to.array(), start, lastText, 0, lastLength);
      lastDay = epochDay;
    } else {
      to.putWords(lastText, lastLength);
    }
  }

  /** Counts years from March 1st, so that a leap day is the last of its year. */
  private static void putNewDate(long epochDay, TextBuffer to) {
    long day = epochDay + DAYS_TO_EPOCH;
    int cycle = (int) Math.floorDiv(day, DAYS_A_CYCLE);
    int dayOfCycle = (int) (day - (long) cycle * DAYS_A_CYCLE);
    int leapDays =
        dayOfCycle / DAYS_A_FOUR_YEARS
            - dayOfCycle / DAYS_A_CENTURY
            + dayOfCycle / (DAYS_A_CYCLE - 1);
    int yearOfCycle = (dayOfCycle - leapDays) / DAYS_A_YEAR;
    int dayOfYear = dayOfCycle - (DAYS_A_YEAR * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100);
    int month = (5 * dayOfYear + 2) / DAYS_OF_FIVE_MONTHS;
    int dayOfMonth = dayOfYear - (DAYS_OF_FIVE_MONTHS * month + 2) / 5 + 1;
    boolean nextYear = month >= 10; // January and February
    putYear(cycle * YEARS_A_CYCLE + yearOfCycle + (nextYear ? 1 : 0), to);
    to.put('-');
    to.putPair(nextYear ? month - 9 : month + 3);
    to.put('-');
    to.putPair(dayOfMonth);
  }

  private static void putYear(int year, TextBuffer to) {
    if (year >= 0 && year <= MAX_PLAIN_YEAR) {
      to.putPair(year / 100);
      to.putPair(year % 100);
      return;
    }
    if (year > MAX_PLAIN_YEAR) {
      to.put('+');
    } else {
      to.put('-');
    }
    int yearOfSign = Math.abs(year);
    to.putDigits(yearOfSign, Math.max(YEAR_DIGITS, TextBuffer.digits(yearOfSign)));
  }

  static void putTime(long microOfDay, TextBuffer to) {
    int second = (int) (microOfDay / TimeIntakes.MICROS_A_SECOND);
    int micro = (int) (microOfDay - second * TimeIntakes.MICROS_A_SECOND);
    int minute = second / 60;
    int hour = minute / 60;
    byte[] target = to.ensure(SECONDS_LENGTH);
    int at = to.length();
    TextBuffer.setPair(target, at, hour);
    target[at + 2] = ':';
    TextBuffer.setPair(target, at + 3, minute - 60 * hour);
    target[at + 5] = ':';
    TextBuffer.setPair(target, at + 6, second - 60 * minute);
    to.length(at + SECONDS_LENGTH);
    if (micro != 0) {
      to.put('.');
      to.putDigits(micro, 6);
    }
  }

  /** Puts date and time of a count of microseconds since 1970, also before it. */
  void putTimestamp(long epochMicros, TextBuffer to) {
    long day = Math.floorDiv(epochMicros, TimeIntakes.MICROS_A_DAY);
    putDate(day, to);
    to.put('T');
    putTime(epochMicros - day * TimeIntakes.MICROS_A_DAY, to);
  }
}

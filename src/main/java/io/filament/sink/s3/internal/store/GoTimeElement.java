package io.filament.sink.s3.internal.store;

import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Optional;

/**
 * The elements of a Go time layout (documentation of Go's package {@code time}), each spelt as it
 * shows the reference time Mon Jan 2 15:04:05 MST 2006, and what it prints for a time in UTC. The
 * order counts: an element stands before those that it begins with, and the first that matches
 * wins.
 */
enum GoTimeElement implements GoTimeLayout.Piece {
  LONG_MONTH("January"),
  MONTH("Jan"),
  LONG_WEEKDAY("Monday"),
  WEEKDAY("Mon"),
  ZONE_NAME("MST"),
  ZERO_MONTH("01"),
  ZERO_DAY("02"),
  ZERO_HOUR12("03"),
  ZERO_MINUTE("04"),
  ZERO_SECOND("05"),
  SHORT_YEAR("06"),
  ZERO_YEAR_DAY("002"),
  HOUR("15"),
  NUMBER_MONTH("1"),
  YEAR("2006"),
  DAY("2"),
  BLANK_DAY("_2"),
  BLANK_YEAR_DAY("__2"),
  HOUR12("3"),
  MINUTE("4"),
  SECOND("5"),
  UPPER_HALF("PM"),
  LOWER_HALF("pm"),
  OFFSET_SECONDS("-070000"),
  OFFSET_COLON_SECONDS("-07:00:00"),
  OFFSET("-0700"),
  OFFSET_COLON("-07:00"),
  OFFSET_HOURS("-07"),
  ISO_OFFSET_SECONDS("Z070000"),
  ISO_OFFSET_COLON_SECONDS("Z07:00:00"),
  ISO_OFFSET("Z0700"),
  ISO_OFFSET_COLON("Z07:00"),
  ISO_OFFSET_HOURS("Z07");

  private final String spelling;

  GoTimeElement(String spelling) {
    this.spelling = spelling;
  }

  /** Returns the element that begins at this place of a layout, if one does. */
  static Optional<GoTimeLayout.Piece> at(String layout, int position) {
    for (GoTimeElement element : values()) {
      if (layout.startsWith(element.spelling, position) && element.standsAlone(layout, position)) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }

  @Override
  public int length() {
    return spelling.length();
  }

  @Override
  public String print(LocalDateTime time) {
    return switch (this) {
      case LONG_MONTH -> titled(time.getMonth());
      case MONTH -> titled(time.getMonth()).substring(0, 3);
      case LONG_WEEKDAY -> titled(time.getDayOfWeek());
      case WEEKDAY -> titled(time.getDayOfWeek()).substring(0, 3);
      case ZONE_NAME -> "UTC";
      case ZERO_MONTH -> zeros(2, time.getMonthValue());
      case ZERO_DAY -> zeros(2, time.getDayOfMonth());
      case ZERO_HOUR12 -> zeros(2, hour12(time));
      case ZERO_MINUTE -> zeros(2, time.getMinute());
      case ZERO_SECOND -> zeros(2, time.getSecond());
      case SHORT_YEAR -> zeros(2, Math.abs(time.getYear()) % 100);
      case ZERO_YEAR_DAY -> zeros(3, time.getDayOfYear());
      case HOUR -> zeros(2, time.getHour());
      case NUMBER_MONTH -> Integer.toString(time.getMonthValue());
      case YEAR -> year(time.getYear());
      case DAY -> Integer.toString(time.getDayOfMonth());
      case BLANK_DAY -> blanks(2, time.getDayOfMonth());
      case BLANK_YEAR_DAY -> blanks(3, time.getDayOfYear());
      case HOUR12 -> Integer.toString(hour12(time));
      case MINUTE -> Integer.toString(time.getMinute());
      case SECOND -> Integer.toString(time.getSecond());
      case UPPER_HALF -> time.getHour() < 12 ? "AM" : "PM";
      case LOWER_HALF -> time.getHour() < 12 ? "am" : "pm";
      case OFFSET_SECONDS -> "+000000";
      case OFFSET_COLON_SECONDS -> "+00:00:00";
      case OFFSET -> "+0000";
      case OFFSET_COLON -> "+00:00";
      case OFFSET_HOURS -> "+00";
      case ISO_OFFSET_SECONDS,
          ISO_OFFSET_COLON_SECONDS,
          ISO_OFFSET,
          ISO_OFFSET_COLON,
          ISO_OFFSET_HOURS ->
          "Z";
    };
  }

  private boolean standsAlone(String layout, int position) {
    return switch (this) {
      // Go keeps words such as "Janus" and "Month" as they are.
      case MONTH, WEEKDAY -> !isLowerCase(layout, position + length());
      // Go reads "_2006" as an underscore and the year.
      case BLANK_DAY -> !layout.startsWith(YEAR.spelling, position + 1);
      default -> true;
    };
  }

  private static boolean isLowerCase(String layout, int position) {
    return position < layout.length()
        && layout.charAt(position) >= 'a'
        && layout.charAt(position) <= 'z';
  }

  private static String titled(Enum<?> constant) {
    return constant.name().charAt(0) + constant.name().substring(1).toLowerCase(Locale.ROOT);
  }

  private static int hour12(LocalDateTime time) {
    int hour = time.getHour() % 12;
    return hour == 0 ? 12 : hour;
  }

  /** At least four digits, not counting the sign of a year before 0. */
  private static String year(int year) {
    return (year < 0 ? "-" : "") + zeros(4, Math.abs(year));
  }

  private static String zeros(int width, int number) {
    return padded("0", width, number);
  }

  private static String blanks(int width, int number) {
    return padded(" ", width, number);
  }

  private static String padded(String padding, int width, int number) {
    String digits = Integer.toString(number);
    return padding.repeat(Math.max(0, width - digits.length())) + digits;
  }
}

package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTimeLayoutTest {

  // Go's reference time, and a time that shares no number with it.
  private static final Instant REFERENCE = Instant.parse("2006-01-02T15:04:05Z");
  private static final Instant OTHER = Instant.parse("2024-11-09T20:07:08.120034Z");

  @Test
  void printsWhatGoPrints() {
    List<List<String>> rows = GoldenRows.read("go-time-layouts.tsv");
    assertThat(rows).hasSizeGreaterThan(3000);
    assertThat(rows)
        .allSatisfy(
            row -> {
              Instant instant =
                  Instant.ofEpochSecond(Long.parseLong(row.get(1)), Long.parseLong(row.get(2)));
              assertThat(format(row.get(0), instant)).as("%s", row).isEqualTo(row.get(3));
            });
  }

  /** The table of Go's documentation of {@code time.Layout}, element by element. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "2006,2024",
        "06,24",
        "Jan,Nov",
        "January,November",
        "01,11",
        "1,11",
        "Mon,Sat",
        "Monday,Saturday",
        "2,9",
        "_2, 9",
        "02,09",
        "__2,314",
        "002,314",
        "15,20",
        "3,8",
        "03,08",
        "4,7",
        "04,07",
        "5,8",
        "05,08",
        "PM,PM",
        "pm,pm",
        "MST,UTC",
        "-0700,+0000",
        "-07:00,+00:00",
        "-07,+00",
        "-070000,+000000",
        "-07:00:00,+00:00:00",
        "Z0700,Z",
        "Z07:00,Z",
        "Z07,Z",
        "Z070000,Z",
        "Z07:00:00,Z",
        ".0,.1",
        ".00,.12",
        ".000,.120",
        ".000000,.120034",
        ".000000000,.120034000",
        ".9,.1",
        ".99,.12",
        ".999,.12",
        ".999999,.120034",
        ".999999999,.120034",
        "\",0\",\",1\"",
        "\",000\",\",120\"",
        "\",999\",\",12\"",
      })
  void printsEveryElement(String layout, String expected) {
    assertThat(format(layout, OTHER)).isEqualTo(expected);
    assertThat(format("[" + layout + "]", OTHER)).isEqualTo("[" + expected + "]");
  }

  /** A layout shows the reference time as it prints it. */
  @ParameterizedTest
  @CsvSource({
    "2006-01-02T15:04:05Z07:00,2006-01-02T15:04:05Z",
    "Mon Jan _2 15:04:05 2006,Mon Jan  2 15:04:05 2006",
    "3:04PM,3:04PM",
    "__2,'  2'",
  })
  void printsTheReferenceTime(String layout, String expected) {
    assertThat(format(layout, REFERENCE)).isEqualTo(expected);
  }

  @Test
  void dayOfMonthAndDayOfYearDiffer() {
    Instant march = Instant.parse("2024-03-05T00:00:00Z");
    assertThat(format("02", march)).isEqualTo("05");
    assertThat(format("002", march)).isEqualTo("065");
  }

  @Test
  void noonAndMidnightAreTwelve() {
    assertThat(format("3PM 03pm", Instant.parse("2024-03-05T00:30:00Z"))).isEqualTo("12AM 12am");
    assertThat(format("3PM 03pm", Instant.parse("2024-03-05T12:30:00Z"))).isEqualTo("12PM 12pm");
  }

  @Test
  void instantsBefore1970CountBackwards() {
    assertThat(format("2006-01-02 15:04:05.000000000", Instant.ofEpochSecond(-1, 999_999_999)))
        .isEqualTo("1969-12-31 23:59:59.999999999");
  }

  @Test
  void fractionPrintsNothingForAWholeSecond() {
    assertThat(format("05.999", REFERENCE)).isEqualTo("05");
    assertThat(format("05.000", REFERENCE)).isEqualTo("05.000");
  }

  @Test
  void yearsKeepFourDigitsAndTheirSign() {
    assertThat(format("2006/06", year(-44))).isEqualTo("-0044/44");
    assertThat(format("2006/06", year(0))).isEqualTo("0000/00");
    assertThat(format("2006/06", year(12345))).isEqualTo("12345/45");
    assertThat(format("2006/06", year(-999_999_999))).isEqualTo("-999999999/99");
  }

  @Test
  void textBesideElementsStays() {
    assertThat(format("Janus Month jan mon mst 0 7 8 9 _ Z -08 .5x é日🙂", OTHER))
        .isEqualTo("Janus Month jan mon mst 0 7 8 9 _ Z -08 .8x é日🙂");
  }

  @Test
  void instantsWithoutALocalDateAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> format("2006", Instant.MAX))
        .withMessageContaining("outside the years -999999999 to 999999999")
        .withMessageContaining(Instant.MAX.toString());
  }

  /** Neither the zone nor the language of the JVM reaches a key. */
  @Test
  @ResourceLock(Resources.LOCALE)
  @ResourceLock(Resources.TIME_ZONE)
  void zoneAndLanguageOfTheMachineDoNotCount() {
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Auckland"));
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(format("Monday 2 January 2006 pm", Instant.parse("2024-01-01T23:30:00Z")))
          .isEqualTo("Monday 1 January 2024 pm");
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
  }

  private static String format(String layout, Instant instant) {
    return GoTimeLayout.parse(layout).format(instant);
  }

  private static Instant year(int year) {
    return LocalDateTime.of(year, 7, 8, 9, 10).toInstant(ZoneOffset.UTC);
  }
}

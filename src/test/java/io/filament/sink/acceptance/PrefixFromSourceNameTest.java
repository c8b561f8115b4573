package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Sink;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The prefix that a run gets from the name of its source. */
class PrefixFromSourceNameTest extends WithBucket {

  private String prefixOf(String sourceName) throws IOException {
    try (Sink sink = bucket.sink()) {
      sink.open(run().sourceName(sourceName).build());
      String uri = sink.write(people("accounts")).uri();
      String start = "s3://" + bucket.name() + "/";
      assertThat(uri).startsWith(start).contains("/accounts/");
      return uri.substring(start.length(), uri.indexOf("/accounts/"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Local PG, local_pg",
    "local_pg, local_pg",
    "crm-prod.eu/v2, crm_prod_eu_v2",
    "__A  -  B__, a_b",
    "9lives, _9lives",
    "(2) two, _2_two",
    "Ünïcode, n_code",
    "Straße, stra_e",
    "abc123, abc123"
  })
  void isLowerCaseWordsJoinedByUnderscores(String sourceName, String prefix) throws IOException {
    assertThat(prefixOf(sourceName)).isEqualTo(prefix);
  }

  @Test
  void hasAtMost63Bytes() throws IOException {
    assertThat(prefixOf("a".repeat(64))).isEqualTo("a".repeat(63));
  }

  @Test
  void countsTheUnderscoreBeforeALeadingDigit() throws IOException {
    assertThat(prefixOf("1".repeat(63))).isEqualTo("_" + "1".repeat(62));
  }

  @Test
  void doesNotEndInAnUnderscoreWhereItIsCut() throws IOException {
    assertThat(prefixOf("a".repeat(62) + " b")).isEqualTo("a".repeat(62));
  }

  @Test
  void doesNotDependOnTheLocale() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr"));
    try {
      assertThat(prefixOf("LOCAL ID")).isEqualTo("local_id");
    } finally {
      Locale.setDefault(before);
    }
  }
}

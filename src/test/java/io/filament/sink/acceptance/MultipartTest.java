package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.RUN_ID;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static io.filament.sink.acceptance.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.Sink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects around the size of a part. */
class MultipartTest extends OnEveryEndpoint {

  private static final int PART = 5 << 20;
  private static final String KEY = "r/dt=2026-09-10/" + RUN_ID + ".ndjson";

  /** Returns texts whose NDJSON is this long in all, in several lines of unlike lengths. */
  private String[] textsFor(int bytes) throws IOException {
    int overhead = overheadOfALine();
    int lines = 7;
    int rest = bytes - lines * overhead;
    Random random = new Random(bytes);
    String[] texts = new String[lines];
    for (int i = 0; i < lines; i++) {
      int length = i == lines - 1 ? rest : rest / (lines - i) + i * 1000 - 2500;
      texts[i] = letters(random, length);
      rest -= length;
    }
    return texts;
  }

  private static String letters(Random random, int length) {
    byte[] letters = new byte[length];
    random.nextBytes(letters);
    for (int i = 0; i < length; i++) {
      letters[i] = (byte) ('a' + (letters[i] & 15));
    }
    return new String(letters, StandardCharsets.US_ASCII);
  }

  private int overheadOfALine() throws IOException {
    publishAndClose(bucket.sink("prefix", "overhead"), run().build(), texts("r", ""));
    return bucket.bytes("overhead/" + KEY).length;
  }

  private RunManifest.Entry publishBytes(String[] texts) throws IOException {
    return publishAndClose(bucket.sink("part_size_mib", 5), run().build(), texts("r", texts))
        .resources()
        .get(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {PART - 1, PART + 1, 2 * PART - 1, 2 * PART, 2 * PART + 1, 3 * PART + 17})
  void contentIsIntact(int size) throws IOException {
    String[] texts = textsFor(size);
    RunManifest.Entry entry = publishBytes(texts);

    byte[] stored = bucket.bytes(KEY);
    assertThat(stored).hasSize(size);
    assertThat(Json.records(stored))
        .extracting(record -> record.get("text"))
        .containsExactly((Object[]) texts);
    assertThat(entry.bytes()).isEqualTo(size);
    assertThat(entry.crc32c()).isEqualTo(Stored.crc32c(stored));
  }

  @Test
  void objectOfExactlyTwoPartsHasNoEmptyThird() throws IOException {
    publishBytes(textsFor(2 * PART));

    assertThat(bucket.head(KEY).eTag()).endsWith("-2\"");
  }

  @Test
  void oneByteMoreThanAPartIsASecondPart() throws IOException {
    publishBytes(textsFor(PART + 1));

    assertThat(bucket.head(KEY).eTag()).endsWith("-2\"");
    assertThat(bucket.bytes(KEY)).endsWith((byte) '\n');
  }

  @Test
  void objectSmallerThanAPartIsNoMultipartOne() throws IOException {
    publishBytes(textsFor(PART - 1));

    assertThat(bucket.head(KEY).eTag()).doesNotContain("-");
  }

  @Test
  void committedRunLeavesNoUpload() throws IOException {
    publishBytes(textsFor(2 * PART + 1));

    assertThat(bucket.uploads()).isEmpty();
  }

  @Test
  void headersOfAMultipartObjectAreThoseOfItsForm() throws IOException {
    Random random = new Random(5);
    String[] texts = new String[12];
    Arrays.setAll(texts, i -> letters(random, 1 << 20));
    publishAndClose(
        bucket.sink("part_size_mib", 5, "compression", "gzip"), run().build(), texts("r", texts));

    String key = KEY + ".gz";
    assertThat(bucket.head(key).eTag()).endsWith("-2\"");
    assertThat(bucket.head(key).contentType()).isEqualTo("application/x-ndjson");
    assertThat(bucket.head(key).contentEncoding()).isEqualTo("gzip");
    assertThat(Json.records(Stored.decode("gzip", bucket.bytes(key)))).hasSize(12);
  }

  @Test
  void objectsCarryTheRunAndATokenOfTheAttempt() throws IOException {
    String[] large = textsFor(PART + 1);
    Set<String> tokens = new HashSet<>();
    for (String prefix : new String[] {"one", "two"}) {
      publishAndClose(
          bucket.sink("part_size_mib", 5, "prefix", prefix),
          run().build(),
          texts("r", large),
          texts("small", "a"));
      Map<String, String> ofLarge = bucket.head(prefix + "/" + KEY).metadata();
      Map<String, String> ofSmall =
          bucket.head(prefix + "/small/dt=2026-09-10/" + RUN_ID + ".ndjson").metadata();
      assertThat(ofLarge.values()).contains(RUN_ID);
      assertThat(ofSmall.values()).contains(RUN_ID);
      assertThat(withoutRunId(ofSmall.values())).isNotEmpty();
      assertThat(withoutRunId(ofLarge.values()))
          .isNotEmpty()
          .allSatisfy(token -> assertThat(tokens.add(token)).as("%s is new", token).isTrue());
    }
  }

  private static Set<String> withoutRunId(Collection<String> values) {
    Set<String> others = new HashSet<>(values);
    others.remove(RUN_ID);
    return others;
  }

  @Test
  void nothingIsVisibleBeforeTheCommit() throws IOException {
    try (Sink sink = bucket.sink("part_size_mib", 5)) {
      sink.open(run().build());
      sink.write(texts("r", textsFor(3 * PART)));

      assertThat(bucket.keys()).noneMatch(key -> key.startsWith("r/"));
    }
  }

  @Test
  void receiptCountsTheBytesEncodedSoFar() throws IOException {
    try (Sink sink = bucket.sink("part_size_mib", 5)) {
      sink.open(run().build());
      assertThat(sink.write(texts("r", textsFor(2 * PART))).encodedBytes())
          .isBetween((long) PART, 2L * PART);
    }
  }
}

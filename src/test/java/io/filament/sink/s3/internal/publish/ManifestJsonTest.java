package io.filament.sink.s3.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunManifest;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.StoreProfile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestJsonTest {

  private static final String URI = "s3://lake/local_pg/_runs/run 1/_SUCCESS.json";
  private static final RunManifest MANIFEST =
      new RunManifest(
          1,
          "run 1",
          List.of(
              new RunManifest.Entry(
                  "accounts",
                  "local_pg/accounts/dt=2026-09-10/run 1.ndjson",
                  "s3://lake/local_pg/accounts/dt=2026-09-10/run 1.ndjson",
                  2,
                  42,
                  "0a1b2c3d"),
              new RunManifest.Entry(
                  "données \"日本\" 🙂",
                  "local_pg/d%C3/dt=2026-09-10/run 1.ndjson",
                  "s3://lake/local_pg/d%C3/dt=2026-09-10/run 1.ndjson",
                  0,
                  0,
                  "00000000")),
          URI);

  @Test
  void theBytesAreThoseOfTheGoldenFile() throws IOException {
    try (InputStream golden =
        ManifestJsonTest.class.getResourceAsStream("/golden/v1/_SUCCESS.json")) {
      assertThat(new String(written(), StandardCharsets.UTF_8))
          .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void whatIsWrittenIsReadBackEqual() throws IOException {
    assertThat(ManifestJson.read(written(), URI)).isEqualTo(MANIFEST);
  }

  @Test
  void fieldsThatAreNotKnownAreSkipped() throws IOException {
    String json =
        "{\"later\":{\"a\":[1,{}]},\"version\":1,\"run\":\"r\",\"resources\":[{\"name\":\"n\",\"key\":\"k\","
            + "\"schema\":[{\"x\":1}],\"uri\":\"u\",\"rows\":1,\"bytes\":2,\"crc32c\":\"00000001\"}],\"z\":null}";

    RunManifest manifest = ManifestJson.read(json.getBytes(StandardCharsets.UTF_8), URI);

    assertThat(manifest.resources())
        .containsExactly(new RunManifest.Entry("n", "k", "u", 1, 2, "00000001"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"version\":1,\"run\":\"r\",\"resources\":[",
        "{\"version\":1,\"run\":\"r\",\"resources\":[]",
        "{\"version\":99999999999999999999,\"run\":\"r\",\"resources\":[]}",
        "{\"version\":2,\"run\":\"r\",\"resources\":[]}",
        "{\"version\":1,\"resources\":[]}",
        "{\"version\":1,\"run\":\"r\"}",
        "{\"version\":1,\"run\":\"r\",\"resources\":[{\"name\":\"n\"}]}",
        "{\"version\":1,\"run\":\"r\",\"resources\":[{\"name\":\"n\",\"key\":\"k\",\"uri\":\"u\",\"rows\":1,\"bytes\":2,\"crc32c\":\"1\"}]}"
      })
  void whatIsNoManifestIsRefusedWithItsUri(String json) {
    assertThatThrownBy(() -> ManifestJson.read(json.getBytes(StandardCharsets.UTF_8), URI))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(URI);
  }

  /** Entries of all lengths end at other places than pieces do. */
  @Test
  void aManifestOfManyEntriesIsReadInAnyPieces() throws IOException {
    List<RunManifest.Entry> entries = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      String name = "resource_" + "x".repeat(i % 97) + i;
      entries.add(
          new RunManifest.Entry(name, "p/" + name, "s3://lake/p/" + name, i, i, "00000000"));
    }
    RunManifest large = new RunManifest(1, "run 1", entries, URI);
    Body body = body(large);
    byte[] bytes;
    try (InputStream in = body.content().get()) {
      bytes = in.readAllBytes();
    }

    assertThat(ManifestJson.read(bytes, URI)).isEqualTo(large);
    assertThat(body.length()).isEqualTo(bytes.length);
    assertThat(body.crc32c()).isEqualTo(Crc32c.of(bytes));
    try (InputStream in = body.content().get()) {
      for (byte b : bytes) {
        if (in.read() != (b & 0xff)) {
          throw new AssertionError("read one by one, bytes are others");
        }
      }
      assertThat(in.read()).isNegative();
    }
  }

  private static byte[] written() throws IOException {
    try (InputStream in = body(MANIFEST).content().get()) {
      return in.readAllBytes();
    }
  }

  private static Body body(RunManifest manifest) {
    return ManifestJson.body(
        manifest,
        Instant.parse("2026-09-10T02:00:00Z"),
        new ObjectFormat(FileFormat.NDJSON, Compression.NONE),
        StoreProfile.configured(ChecksumLevel.FULL_OBJECT));
  }
}

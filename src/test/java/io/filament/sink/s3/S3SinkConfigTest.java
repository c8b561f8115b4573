package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.KEY_ID;
import static io.filament.sink.s3.Configs.SECRET;
import static io.filament.sink.s3.Configs.TOKEN;
import static io.filament.sink.s3.Configs.assertProblem;
import static io.filament.sink.s3.Configs.full;
import static io.filament.sink.s3.Configs.read;
import static io.filament.sink.s3.Configs.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.RunSpec;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3SinkConfigTest {

  /** The one place that pins every default. */
  @Test
  void defaults() {
    S3SinkConfig config = S3SinkConfig.fromMap(Map.of("bucket", "lake"));

    assertThat(config.bucket()).isEqualTo("lake");
    assertThat(config.region()).isEmpty();
    assertThat(config.endpoint()).isEmpty();
    assertThat(config.pathStyle()).isFalse();
    assertThat(config.authMethod()).isEqualTo(AuthMethod.INSTANCE_PROFILE);
    assertThat(config.checksumMode()).isEqualTo(ChecksumMode.AUTO);
    assertThat(config.prefix()).isEmpty();
    assertThat(config.partition()).isEqualTo("dt={{.Date}}");
    assertThat(config.fileFormat()).isEqualTo(FileFormat.NDJSON);
    assertThat(config.compression()).isEqualTo(Compression.NONE);
    assertThat(config.partSizeMib()).isEqualTo(16);
    assertThat(config.uploadConcurrency()).isEqualTo(4);
    assertThat(config.retryTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.clientSettings().credentials()).isEmpty();
    assertThat(read("file_format", "parquet").compression()).isEqualTo(Compression.SNAPPY);
    assertThat(read("file_format", "json").compression()).isEqualTo(Compression.NONE);
    assertThat(read("file_format", "jsonl").compression()).isEqualTo(Compression.NONE);
    assertThat(read("endpoint", "http://localhost:9000").pathStyle()).isTrue();
    assertThat(config.toMap())
        .isEqualTo(
            Map.of(
                "bucket", "lake",
                "path_style", false,
                "auth_method", "instance_profile",
                "checksum_mode", "auto",
                "partition", "dt={{.Date}}",
                "file_format", "ndjson",
                "compression", "none",
                "part_size_mib", 16,
                "upload_concurrency", 4,
                "retry_timeout_s", 300));
  }

  @Test
  void everySettingIsRead() {
    S3SinkConfig config = S3SinkConfig.fromMap(full());

    assertThat(config.bucket()).isEqualTo("lake");
    assertThat(config.region()).contains("eu-central-1");
    assertThat(config.endpoint()).contains(URI.create("https://s3.example.com:9000/base"));
    assertThat(config.pathStyle()).isFalse();
    assertThat(config.authMethod()).isEqualTo(AuthMethod.IAM_CREDENTIALS);
    assertThat(config.checksumMode()).isEqualTo(ChecksumMode.COMPOSITE);
    assertThat(config.prefix()).contains("raw/crm");
    assertThat(config.partition()).isEqualTo("{{.Run}}");
    assertThat(config.fileFormat()).isEqualTo(FileFormat.PARQUET);
    assertThat(config.compression()).isEqualTo(Compression.ZSTD);
    assertThat(config.partSizeMib()).isEqualTo(5120);
    assertThat(config.uploadConcurrency()).isEqualTo(32);
    assertThat(config.clientSettings().credentials())
        .hasValueSatisfying(
            credentials -> {
              assertThat(credentials.accessKeyId()).isEqualTo(KEY_ID);
              assertThat(credentials.secretAccessKey()).isEqualTo(SECRET);
              assertThat(credentials.sessionToken()).contains(TOKEN);
            });
  }

  @Test
  void builderMakesWhatTheMapMakes() {
    S3SinkConfig built =
        S3SinkConfig.builder()
            .bucket("lake")
            .region("eu-central-1")
            .endpoint("https://s3.example.com:9000/base")
            .pathStyle(false)
            .authMethod("iam_credentials")
            .accessKeyId(KEY_ID)
            .secretAccessKey(SECRET)
            .sessionToken(TOKEN)
            .checksumMode("composite")
            .prefix("/raw/crm/")
            .partition("/{{.Run}}/")
            .fileFormat("parquet")
            .compression("zstd")
            .partSizeMib(5120)
            .uploadConcurrency(32)
            .build();

    assertThat(built)
        .isEqualTo(S3SinkConfig.fromMap(full()))
        .hasSameHashCodeAs(S3SinkConfig.fromMap(full()));
    assertThat(
            S3SinkConfig.builder()
                .bucket("lake")
                .endpoint(URI.create("http://localhost"))
                .authMethod(AuthMethod.INSTANCE_PROFILE)
                .checksumMode(ChecksumMode.NONE)
                .fileFormat(FileFormat.JSONL)
                .compression(Compression.GZIP)
                .build())
        .isEqualTo(
            S3SinkConfig.fromMap(
                Map.of(
                    "bucket",
                    "lake",
                    "endpoint",
                    "http://localhost",
                    "checksum_mode",
                    "none",
                    "file_format",
                    "jsonl",
                    "compression",
                    "gzip")));
    assertThatNullPointerException()
        .isThrownBy(() -> S3SinkConfig.builder().bucket(null))
        .withMessage("bucket");
    assertThatNullPointerException()
        .isThrownBy(() -> S3SinkConfig.fromMap(null))
        .withMessage("config");
  }

  @Test
  void configurationsAreEqualByTheirValues() {
    assertThat(read("part_size_mib", 16)).isEqualTo(read("part_size_mib", 16L));
    assertThat(read("prefix", "/a/")).isEqualTo(read("prefix", "a"));
    assertThat(read("file_format", " NDJSON ")).isEqualTo(read("bucket", "lake"));
    assertThat(read("prefix", "a")).isNotEqualTo(read("prefix", "b"));
    Map<String, Object> otherSecret = full();
    otherSecret.put("secret_access_key", "other");
    assertThat(S3SinkConfig.fromMap(otherSecret)).isNotEqualTo(S3SinkConfig.fromMap(full()));
  }

  @Test
  void mapOfAConfigurationMakesItAgain() {
    S3SinkConfig config =
        S3SinkConfig.fromMap(
            Map.of(
                "bucket", "lake", "endpoint", "http://localhost:9000", "file_format", "parquet"));
    assertThat(S3SinkConfig.fromMap(config.toMap())).isEqualTo(config);
    assertThat(config.toMap().keySet())
        .containsExactly(
            "bucket",
            "endpoint",
            "path_style",
            "auth_method",
            "checksum_mode",
            "partition",
            "file_format",
            "compression",
            "part_size_mib",
            "upload_concurrency",
            "retry_timeout_s");
  }

  @Test
  void nullIsTheSameAsNotSet() {
    Map<String, Object> config = new HashMap<>();
    full().keySet().forEach(name -> config.put(name, null));
    config.put("bucket", "lake");
    assertThat(S3SinkConfig.fromMap(config)).isEqualTo(read("bucket", "lake"));
  }

  @Test
  void laterChangesOfTheMapDoNotCount() {
    Map<String, Object> map = full();
    S3SinkConfig config = S3SinkConfig.fromMap(map);
    map.put("bucket", "other");
    assertThat(config.bucket()).isEqualTo("lake");
    assertThat(config.toMap()).isUnmodifiable();
  }

  @ParameterizedTest
  @ValueSource(strings = {"123//456", "a/./b", "a/..", "./a", "..", "a\nb", "a\u0000", "\uD83D"})
  void prefixThatMakesNoKeyIsRefused(String prefix) {
    assertThat(refusal(Map.of("bucket", "lake", "prefix", prefix)).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.field()).isEqualTo("prefix");
              assertThat(problem.message()).startsWith("the prefix must not ");
            });
  }

  @Test
  void prefixProblemNamesTheSegment() {
    assertProblem(
        "prefix",
        "/123//456",
        "the prefix must not have an empty, \".\" or \"..\" segment, but segment 2 of \"123//456\" is empty");
  }

  @Test
  void prefixIsAtMost1024BytesLong() {
    assertThat(read("prefix", "€".repeat(341)).prefix()).contains("€".repeat(341));
    assertThat(
            refusal(Map.of("bucket", "lake", "prefix", "€".repeat(342)))
                .problems()
                .get(0)
                .message())
        .startsWith("the prefix has 1026 bytes in UTF-8, and S3 takes at most 1024");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a=b", "a@b.com/x y  z/(1)!", "a:b", "é", "données/日本/🙂", "a b%20c+d#e?f:g", " "})
  void otherPrefixesStayAsTheyAre(String prefix) {
    assertThat(read("prefix", prefix).prefix()).contains(prefix);
    assertThat(manifestKey(read("prefix", "/" + prefix + "/")))
        .isEqualTo(prefix + "/_runs/r/_SUCCESS.json");
  }

  @Test
  void emptyPrefixIsNoPrefixWhateverTheSource() {
    assertThat(manifestKey(read("prefix", ""))).isEqualTo("_runs/r/_SUCCESS.json");
    assertThat(manifestKey(read("prefix", "//"))).isEqualTo("_runs/r/_SUCCESS.json");
    assertThat(manifestKey(read("bucket", "lake"))).isEqualTo("local_pg/_runs/r/_SUCCESS.json");
  }

  @Test
  void partitionIsCheckedWithItsPosition() {
    assertThat(
            refusal(Map.of("bucket", "lake", "partition", "/dt={{.Day}}"))
                .problems()
                .get(0)
                .message())
        .startsWith("position 7 (counted from 1): unknown placeholder \".Day\"; allowed are ");
    assertThat(refusal(Map.of("bucket", "lake", "partition", "a//b")).problems().get(0).message())
        .startsWith("the rendered partition must not have an empty");
    assertThat(read("partition", "").partition()).isEmpty();
    assertThat(read("partition", "/a={{.Date}}/").partition()).isEqualTo("a={{.Date}}");
  }

  private static String manifestKey(S3SinkConfig config) {
    RunSpec run = RunSpec.builder("r").sourceName("Local PG").build();
    return config.keyLayout().forRun(run, config.objectFormat()).manifest().key();
  }
}

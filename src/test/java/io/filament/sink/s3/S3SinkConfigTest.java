package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.CUSTOMER_KEY;
import static io.filament.sink.s3.Configs.KEY_ID;
import static io.filament.sink.s3.Configs.PASSWORD;
import static io.filament.sink.s3.Configs.ROLE;
import static io.filament.sink.s3.Configs.SECRET;
import static io.filament.sink.s3.Configs.TOKEN;
import static io.filament.sink.s3.Configs.assertProblem;
import static io.filament.sink.s3.Configs.full;
import static io.filament.sink.s3.Configs.read;
import static io.filament.sink.s3.Configs.refusal;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.RunSpec;
import io.filament.sink.s3.internal.store.CustomerKey;
import io.filament.sink.s3.internal.store.Encryption;
import io.filament.sink.s3.internal.store.ObjectOptions;
import io.filament.sink.s3.internal.store.Role;
import io.filament.sink.s3.internal.store.Route;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
    assertThat(config.conditionalWrites()).isEqualTo(ConditionalWrites.AUTO);
    assertThat(config.prefix()).isEmpty();
    assertThat(config.partition()).isEqualTo("dt={{.Date}}");
    assertThat(config.fileFormat()).isEqualTo(FileFormat.NDJSON);
    assertThat(config.compression()).isEqualTo(Compression.NONE);
    assertThat(config.partSizeMib()).isEqualTo(16);
    assertThat(config.uploadConcurrency()).isEqualTo(4);
    assertThat(config.retryTimeout()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.useFips()).isFalse();
    assertThat(config.useDualstack()).isFalse();
    assertThat(config.useAccelerate()).isFalse();
    assertThat(config.proxy()).isEmpty();
    assertThat(config.proxyUsername()).isEmpty();
    assertThat(config.roleArn()).isEmpty();
    assertThat(config.externalId()).isEmpty();
    assertThat(config.roleSessionName()).isEmpty();
    assertThat(config.webIdentityTokenFile()).isEmpty();
    assertThat(config.stsEndpoint()).isEmpty();
    assertThat(config.stsRegion()).isEmpty();
    assertThat(config.expectedBucketOwner()).isEmpty();
    assertThat(config.requestPayer()).isEmpty();
    assertThat(config.httpClient()).isEqualTo(HttpClientKind.AUTO);
    assertThat(config.serverSideEncryption()).isEmpty();
    assertThat(config.kmsKeyId()).isEmpty();
    assertThat(config.contentEncoding()).isEqualTo(ContentEncoding.AUTO);
    assertThat(config.storageClass()).isEmpty();
    assertThat(config.acl()).isEmpty();
    assertThat(config.objectTags()).isEmpty();
    assertThat(config.metadata()).isEmpty();
    assertThat(config.objectOptions()).isEqualTo(ObjectOptions.NONE);
    assertThat(config.encodeThreads())
        .isEqualTo(Math.min(4, Runtime.getRuntime().availableProcessors()));
    assertThat(config.clientSettings().credentials()).isEmpty();
    assertThat(config.clientSettings().role()).isEmpty();
    assertThat(config.clientSettings().route()).isEqualTo(Route.DIRECT);
    assertThat(read("file_format", "parquet").compression()).isEqualTo(Compression.SNAPPY);
    assertThat(read("file_format", "json").compression()).isEqualTo(Compression.NONE);
    assertThat(read("file_format", "jsonl").compression()).isEqualTo(Compression.NONE);
    assertThat(read("endpoint", "http://localhost:9000").pathStyle()).isTrue();
    assertThat(config.toMap())
        .isEqualTo(
            Map.ofEntries(
                entry("bucket", "lake"),
                entry("path_style", false),
                entry("use_fips", false),
                entry("use_dualstack", false),
                entry("use_accelerate", false),
                entry("http_client", "auto"),
                entry("auth_method", "instance_profile"),
                entry("checksum_mode", "auto"),
                entry("conditional_writes", "auto"),
                entry("request_payer", "none"),
                entry("server_side_encryption", "none"),
                entry("partition", "dt={{.Date}}"),
                entry("file_format", "ndjson"),
                entry("compression", "none"),
                entry("content_encoding", "auto"),
                entry("part_size_mib", 16),
                entry("upload_concurrency", 4),
                entry("retry_timeout_s", 300)));
    assertThat(
            S3SinkConfig.fromMap(
                    Map.of("bucket", "lake", "auth_method", "assume_role", "role_arn", ROLE))
                .roleSessionName())
        .contains("filament-s3-sink");
    assertThat(read("auth_method", "web_identity").roleSessionName()).isEmpty();
  }

  @Test
  void everySettingIsRead() {
    S3SinkConfig config = S3SinkConfig.fromMap(full());

    assertThat(config.bucket()).isEqualTo("lake");
    assertThat(config.region()).contains("eu-central-1");
    assertThat(config.endpoint()).contains(URI.create("https://s3.example.com:9000/base"));
    assertThat(config.pathStyle()).isFalse();
    assertThat(config.authMethod()).isEqualTo(AuthMethod.ASSUME_ROLE);
    assertThat(config.checksumMode()).isEqualTo(ChecksumMode.COMPOSITE);
    assertThat(config.conditionalWrites()).isEqualTo(ConditionalWrites.PROBE);
    assertThat(config.prefix()).contains("raw/crm");
    assertThat(config.partition()).isEqualTo("{{.Run}}");
    assertThat(config.fileFormat()).isEqualTo(FileFormat.PARQUET);
    assertThat(config.compression()).isEqualTo(Compression.ZSTD);
    assertThat(config.contentEncoding()).isEqualTo(ContentEncoding.NONE);
    assertThat(config.objectOptions())
        .isEqualTo(
            new ObjectOptions(
                new Encryption(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(new CustomerKey(CUSTOMER_KEY, "tP/LI3N87DFaSk0aoqYgzg=="))),
                Optional.of("STANDARD_IA"),
                Optional.of("bucket-owner-full-control"),
                Map.of("team", "data", "stage", "raw"),
                Map.of("source", "crm"),
                Optional.of("123456789012"),
                Optional.of("requester")));
    assertThat(config.clientSettings().role())
        .contains(
            new Role.Assumed(
                ROLE,
                Optional.of("external-1"),
                "nightly",
                new Role.Sts(
                    Optional.of(URI.create("https://sts.example.com")), Optional.of("eu-west-1"))));
    assertThat(config.clientSettings().route())
        .isEqualTo(
            new Route(
                false,
                false,
                false,
                Optional.of(
                    new Route.Proxy(
                        URI.create("http://proxy.example.com:3128"),
                        Optional.of("user"),
                        Optional.of(PASSWORD)))));
    assertThat(config.partSizeMib()).isEqualTo(5120);
    assertThat(config.uploadConcurrency()).isEqualTo(32);
    assertThat(config.encodeThreads()).isEqualTo(32);
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
            .useFips(false)
            .useDualstack(false)
            .useAccelerate(false)
            .httpClient("apache5")
            .proxy("http://proxy.example.com:3128")
            .proxyUsername("user")
            .proxyPassword(PASSWORD)
            .authMethod("assume_role")
            .accessKeyId(KEY_ID)
            .secretAccessKey(SECRET)
            .sessionToken(TOKEN)
            .roleArn(ROLE)
            .externalId("external-1")
            .roleSessionName("nightly")
            .stsEndpoint("https://sts.example.com")
            .stsRegion("eu-west-1")
            .expectedBucketOwner("123456789012")
            .requestPayer("Requester")
            .serverSideEncryption("none")
            .sseCustomerKey(CUSTOMER_KEY)
            .contentEncoding("none")
            .storageClass("standard_ia")
            .acl("bucket-owner-full-control")
            .objectTags("team=data,stage=raw")
            .metadata("source=crm")
            .checksumMode("composite")
            .conditionalWrites("probe")
            .prefix("/raw/crm/")
            .partition("/{{.Run}}/")
            .fileFormat("parquet")
            .compression("zstd")
            .partSizeMib(5120)
            .uploadConcurrency(32)
            .encodeThreads(32)
            .memoryLimitMib(1_048_576)
            .build();

    assertThat(built)
        .isEqualTo(S3SinkConfig.fromMap(full()))
        .hasSameHashCodeAs(S3SinkConfig.fromMap(full()));
    assertThat(
            S3SinkConfig.builder()
                .bucket("lake")
                .endpoint(URI.create("http://localhost"))
                .authMethod(AuthMethod.WEB_IDENTITY)
                .webIdentityTokenFile("/var/run/token")
                .httpClient(HttpClientKind.APACHE5)
                .proxy(URI.create("http://localhost:3128"))
                .serverSideEncryption("aws:kms")
                .kmsKeyId("alias/lake")
                .contentEncoding(ContentEncoding.NONE)
                .checksumMode(ChecksumMode.NONE)
                .conditionalWrites(ConditionalWrites.REQUIRE)
                .fileFormat(FileFormat.JSONL)
                .compression(Compression.GZIP)
                .build())
        .isEqualTo(
            S3SinkConfig.fromMap(
                Map.ofEntries(
                    entry("bucket", "lake"),
                    entry("endpoint", "http://localhost"),
                    entry("auth_method", "web_identity"),
                    entry("web_identity_token_file", "/var/run/token"),
                    entry("http_client", "apache5"),
                    entry("proxy", "http://localhost:3128"),
                    entry("server_side_encryption", "aws:kms"),
                    entry("kms_key_id", "alias/lake"),
                    entry("content_encoding", "none"),
                    entry("checksum_mode", "none"),
                    entry("conditional_writes", "require"),
                    entry("file_format", "jsonl"),
                    entry("compression", "gzip"))));
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
            "use_fips",
            "use_dualstack",
            "use_accelerate",
            "http_client",
            "auth_method",
            "checksum_mode",
            "conditional_writes",
            "request_payer",
            "server_side_encryption",
            "partition",
            "file_format",
            "compression",
            "content_encoding",
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

package io.filament.sink.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.filament.sink.InvalidConfigException;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which values each setting takes. */
class SettingsTest {

  private static Map<String, Object> with(Object... namesAndValues) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("bucket", "some-bucket");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      config.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return config;
  }

  private static Map<String, Object> withKeys(Object... namesAndValues) {
    Map<String, Object> config =
        with(
            "auth_method", "iam_credentials", "access_key_id", "id", "secret_access_key", "secret");
    config.putAll(with(namesAndValues));
    return config;
  }

  private static void assertRefused(Map<String, Object> config, String... fields) {
    assertThatThrownBy(() -> S3SinkConfig.fromMap(config))
        .isInstanceOfSatisfying(
            InvalidConfigException.class,
            e ->
                assertThat(e.problems())
                    .extracting("field")
                    .containsExactlyInAnyOrder((Object[]) fields));
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments("endpoint", List.of("", "host", "ftp://host", "http://", "http:// a", 5)),
        arguments("path_style", List.of("maybe", 1)),
        arguments("auth_method", List.of("", "password", "assume role", true)),
        arguments("prefix", List.of("a//b", "123//456", "a/./b", "a/..", "..", ".", "a\nb", 5)),
        arguments("partition", List.of("a//b", "..", "{{.Nope}}", "{{", 5)),
        arguments("file_format", List.of("", "csv", "avro", 5)),
        arguments("compression", List.of("", "lz4", "brotli", "snappy", 5)),
        arguments("part_size_mib", List.of(0, 4, -5, 5121, 5.5, "five", true, 1L << 40)),
        arguments("upload_concurrency", List.of(0, 33, -1, 1.5, "many")),
        arguments("retry_timeout_s", List.of(-1, 86_401, 1.5, "ever")),
        arguments("encode_threads", List.of(0, 33, -1, 1.5, "all")),
        arguments("memory_limit_mib", List.of(0, -1, 1_048_577, 1.5, "all")),
        arguments("server_side_encryption", List.of("", "aes", "kms", true)),
        arguments("expected_bucket_owner", List.of("", "12345678901", "lake-owner", 5)),
        arguments("request_payer", List.of("", "owner", true)),
        arguments("storage_class", List.of("", "COLD", 5)),
        arguments("acl", List.of("", "public", true)),
        arguments("content_encoding", List.of("", "gzip", false)),
        arguments("object_tags", List.of("", "a", "a=b,", "=b", "aws:a=b", "a=b,a=c", 5)),
        arguments("metadata", List.of("", "a", "a=", "a=é", "a b=c", "filament-run=x", 5)),
        arguments("use_fips", List.of("yes", 1)),
        arguments("http_client", List.of("", "netty", "apache", true)),
        arguments("proxy", List.of("", "host:3128", "http://u:p@host", "http://host/path", 5)),
        arguments("kms_key_id", List.of("key", "")),
        arguments("role_arn", List.of("arn:aws:iam::123456789012:role/r")),
        arguments("no_such_setting", List.of("x", 1)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void isRefusedByName(String name, List<Object> values) {
    for (Object value : values) {
      assertThatThrownBy(() -> S3SinkConfig.fromMap(with(name, value)))
          .as("%s = %s", name, value)
          .isInstanceOfSatisfying(
              InvalidConfigException.class,
              e -> assertThat(e.problems()).extracting("field").containsExactly(name));
    }
  }

  static Stream<Arguments> accepted() {
    return Stream.of(
        arguments("region", List.of("eu-central-1", "auto")),
        arguments("endpoint", List.of("http://127.0.0.1:9000", "https://s3.example.com")),
        arguments("path_style", List.of(true, false)),
        arguments("auth_method", List.of("instance_profile")),
        arguments("prefix", List.of("a", "a/b", "/a/b/", "a=b@c:d e/é", "日本/🙂", "...", "a..b")),
        arguments("partition", List.of("", "dt={{.Date}}", "/a/", "x")),
        arguments("file_format", List.of("ndjson", "jsonl", "json", "parquet", " Parquet ")),
        arguments("compression", List.of("none", "gzip", "zstd")),
        arguments("server_side_encryption", List.of("none", "AES256", "AWS:KMS", "aws:kms:dsse ")),
        arguments("expected_bucket_owner", List.of("123456789012")),
        arguments("request_payer", List.of("none", "Requester")),
        arguments("storage_class", List.of("STANDARD_IA", "deep_archive")),
        arguments("acl", List.of("private", "Bucket-Owner-Full-Control")),
        arguments("content_encoding", List.of("auto", "none")),
        arguments("object_tags", List.of("a=b", "a=", "team=data, stage=raw é", "u=http://x/y")),
        arguments("metadata", List.of("a=b", "Source = crm 1 , x-y=z")),
        arguments("use_fips", List.of(true, false)),
        arguments("use_accelerate", List.of(true, false)),
        arguments("http_client", List.of("auto", "apache5", "CRT")),
        arguments("proxy", List.of("http://127.0.0.1:3128", "https://proxy.example.com")),
        arguments("part_size_mib", List.of(5, 256, 5120, 5L)),
        arguments("upload_concurrency", List.of(1, 32)),
        arguments("retry_timeout_s", List.of(0, 86_400)),
        arguments("encode_threads", List.of(1, 32)),
        arguments("memory_limit_mib", List.of(1, 1_048_576)));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void isAccepted(String name, List<Object> values) {
    for (Object value : values) {
      assertThatCode(() -> S3SinkConfig.fromMap(with(name, value)))
          .as("%s = %s", name, value)
          .doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ab",
        "Upper",
        "under_score",
        "a..b",
        "-a-b",
        "a-b-",
        "192.168.5.4",
        "a b",
        "é-bucket",
        "a/b",
        "xn--bucket",
        "arn:aws:s3:::bucket"
      })
  void bucketMustFollowTheRulesOfS3(String bucket) {
    assertRefused(with("bucket", bucket), "bucket");
  }

  @Test
  void bucketHasAtMost63Characters() {
    assertRefused(with("bucket", "a".repeat(64)), "bucket");
    assertThatCode(() -> S3SinkConfig.fromMap(with("bucket", "a".repeat(63))))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "my.bucket-1",
        "1bucket",
        "arn:aws:s3:eu-west-1:123456789012:accesspoint/my-point"
      })
  void bucketMayBeAnyOfTheseNames(String bucket) {
    assertThatCode(() -> S3SinkConfig.fromMap(with("bucket", bucket))).doesNotThrowAnyException();
  }

  @Test
  void bucketIsRequired() {
    assertRefused(new LinkedHashMap<>(Map.of("region", "eu-central-1")), "bucket");
  }

  @Test
  void keysAreRequiredWithIamCredentials() {
    assertRefused(with("auth_method", "iam_credentials"), "access_key_id", "secret_access_key");
  }

  @Test
  void keysAreRefusedWithoutIamCredentials() {
    assertRefused(
        with("access_key_id", "a", "secret_access_key", "b"), "access_key_id", "secret_access_key");
  }

  @Test
  void sessionTokenIsOptionalWithIamCredentialsAndRefusedWithoutThem() {
    assertThatCode(() -> S3SinkConfig.fromMap(withKeys("session_token", "t")))
        .doesNotThrowAnyException();
    assertThatCode(() -> S3SinkConfig.fromMap(withKeys())).doesNotThrowAnyException();
    assertRefused(with("session_token", "t"), "session_token");
  }

  @Test
  void roleIsRequiredWithAssumeRoleAndItsKeysAreOptional() {
    assertRefused(with("auth_method", "assume_role"), "role_arn");
    Map<String, Object> role =
        with("auth_method", "assume_role", "role_arn", "arn:aws:iam::123456789012:role/r");
    assertThatCode(() -> S3SinkConfig.fromMap(role)).doesNotThrowAnyException();
    role.put("access_key_id", "id");
    assertRefused(role, "secret_access_key");
    role.put("secret_access_key", "secret");
    assertThatCode(() -> S3SinkConfig.fromMap(role)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zstd", "gzip", "none"})
  void parquetTakesThisCompression(String compression) {
    assertThatCode(
            () -> S3SinkConfig.fromMap(with("file_format", "parquet", "compression", compression)))
        .doesNotThrowAnyException();
  }

  @Test
  void unknownSettingsAreNamedEachOnItsOwn() {
    assertRefused(with("prefx", "a", "regoin", "b"), "prefx", "regoin");
  }

  @Test
  void rangeIsInTheMessage() {
    assertThatThrownBy(() -> S3SinkConfig.fromMap(with("part_size_mib", 4)))
        .hasMessageContaining("part_size_mib")
        .hasMessageContaining("4")
        .hasMessageContaining("5")
        .hasMessageContaining("5120");
  }

  @Test
  void segmentOfThePrefixThatIsRefusedIsNamed() {
    assertThatThrownBy(() -> S3SinkConfig.fromMap(with("prefix", "a/../b")))
        .isInstanceOf(InvalidConfigException.class)
        .hasMessageContaining("..")
        .hasMessageContaining("prefix");
  }

  @Test
  void nullConfigurationIsRefused() {
    assertThatThrownBy(() -> S3SinkConfig.fromMap(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> S3Sink.create((S3SinkConfig) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> S3Sink.builder(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void mapOfAConfigurationHasTheNamesOfTheSettings() {
    assertThat(S3SinkConfig.fromMap(with("prefix", "p", "part_size_mib", 8)).toMap())
        .containsEntry("bucket", "some-bucket")
        .containsEntry("prefix", "p")
        .containsEntry("part_size_mib", 8);
  }

  @Test
  void customEndpointNeedsNoRegion() {
    assertThatCode(
            () -> {
              try (S3Sink sink = S3Sink.create(withKeys("endpoint", "http://127.0.0.1:1"))) {
                assertThat(sink.spec()).isNotNull();
              }
            })
        .doesNotThrowAnyException();
  }
}

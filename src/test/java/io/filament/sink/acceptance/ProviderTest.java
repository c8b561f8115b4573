package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.filament.sink.InvalidConfigException;
import io.filament.sink.Sink;
import io.filament.sink.SinkProvider;
import io.filament.sink.SinkSpec;
import io.filament.sink.WriteMode;
import io.filament.sink.s3.S3SinkProvider;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What a host finds that knows nothing but the contract. */
class ProviderTest extends WithBucket {

  private static final List<String> NAMES =
      List.of(
          "bucket",
          "region",
          "endpoint",
          "path_style",
          "use_fips",
          "use_dualstack",
          "use_accelerate",
          "http_client",
          "proxy",
          "proxy_username",
          "proxy_password",
          "auth_method",
          "access_key_id",
          "secret_access_key",
          "session_token",
          "role_arn",
          "external_id",
          "role_session_name",
          "web_identity_token_file",
          "sts_endpoint",
          "sts_region",
          "checksum_mode",
          "conditional_writes",
          "expected_bucket_owner",
          "request_payer",
          "server_side_encryption",
          "kms_key_id",
          "sse_customer_key",
          "prefix",
          "partition",
          "file_format",
          "compression",
          "content_encoding",
          "storage_class",
          "acl",
          "object_tags",
          "metadata",
          "part_size_mib",
          "upload_concurrency",
          "retry_timeout_s",
          "encode_threads",
          "memory_limit_mib");

  private static SinkProvider provider() {
    return StreamSupport.stream(ServiceLoader.load(SinkProvider.class).spliterator(), false)
        .filter(provider -> provider.name().equals("s3"))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> schema() {
    return Json.object(provider().spec().toJsonSchema());
  }

  @SuppressWarnings("unchecked") // a schema's properties are objects
  private static Map<String, Map<String, Object>> properties() {
    return (Map<String, Map<String, Object>>) schema().get("properties");
  }

  @Test
  void isFoundByTheServiceLoader() {
    assertThat(provider()).isInstanceOf(S3SinkProvider.class);
  }

  @Test
  void makesASinkThatWritesARun() throws IOException {
    try (Sink sink = provider().create(bucket.settings())) {
      publish(sink, run().build(), people("people"));
    }

    assertThat(bucket.keys()).hasSize(2);
  }

  @Test
  void specSaysWhatKindOfSinkItIs() {
    SinkSpec spec = provider().spec();

    assertThat(spec.name()).isEqualTo("s3");
    assertThat(spec.displayName()).isNotBlank();
    assertThat(spec.version()).isNotBlank();
    assertThat(spec.writeModes()).containsExactlyInAnyOrder(WriteMode.values());
    assertThat(spec.durability()).hasToString("AFTER_COMMIT");
    assertThat(spec.atomicity()).hasToString("RESOURCE");
  }

  @Test
  void sinkAndProviderGiveTheSameSpec() throws IOException {
    try (Sink sink = provider().create(bucket.settings())) {
      assertThat(sink.spec()).isEqualTo(provider().spec());
    }
  }

  @Test
  void fieldsAreTheSettings() {
    assertThat(provider().spec().fields())
        .extracting("name")
        .containsExactlyInAnyOrderElementsOf(NAMES);
  }

  @Test
  void schemaIsOfDialect202012AndHasEverySetting() {
    assertThat(schema())
        .containsEntry("$schema", "https://json-schema.org/draft/2020-12/schema")
        .containsEntry("type", "object");
    assertThat(properties().keySet()).containsExactlyInAnyOrderElementsOf(NAMES);
    assertThat(schema().get("required")).asInstanceOf(LIST).contains("bucket");
  }

  @Test
  void schemaHasTypesDefaultsAndRanges() {
    assertThat(properties().get("part_size_mib"))
        .containsEntry("type", "integer")
        .containsEntry("default", new BigDecimal(16))
        .containsEntry("minimum", new BigDecimal(5))
        .containsEntry("maximum", new BigDecimal(5120));
    assertThat(properties().get("upload_concurrency"))
        .containsEntry("default", new BigDecimal(4))
        .containsEntry("minimum", new BigDecimal(1))
        .containsEntry("maximum", new BigDecimal(32));
    assertThat(properties().get("partition")).containsEntry("default", "dt={{.Date}}");
    assertThat(properties().get("path_style")).containsEntry("type", "boolean");
  }

  @Test
  void schemaListsWhatIsAllowed() {
    assertThat(properties().get("file_format"))
        .containsEntry("default", "ndjson")
        .containsEntry("enum", List.of("ndjson", "jsonl", "json", "parquet"));
    assertThat(properties().get("auth_method"))
        .containsEntry("default", "instance_profile")
        .containsEntry(
            "enum", List.of("instance_profile", "iam_credentials", "assume_role", "web_identity"));
  }

  @Test
  void schemaMarksSecretsAsWriteOnly() {
    assertThat(properties())
        .allSatisfy(
            (name, property) ->
                assertThat(property.getOrDefault("writeOnly", false))
                    .as(name)
                    .isEqualTo(
                        List.of(
                                "access_key_id",
                                "secret_access_key",
                                "session_token",
                                "proxy_password",
                                "sse_customer_key")
                            .contains(name)));
  }

  @Test
  void validateTellsAllProblemsAtOnce() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("endpoint", "ftp://host");
    config.put("auth_method", "password");
    config.put("prefix", "a//b");
    config.put("partition", "{{.Nonsense}}");
    config.put("file_format", "csv");
    config.put("part_size_mib", 4);
    config.put("upload_concurrency", 33);
    config.put("bukcet", "typo");

    InvalidConfigException refusal =
        catchThrowableOfType(InvalidConfigException.class, () -> provider().validate(config));

    assertThat(refusal.problems())
        .extracting("field")
        .containsExactlyInAnyOrder(
            "bucket",
            "endpoint",
            "auth_method",
            "prefix",
            "partition",
            "file_format",
            "part_size_mib",
            "upload_concurrency",
            "bukcet");
    assertThat(refusal.problems()).allSatisfy(p -> assertThat(p.message()).isNotBlank());
    assertThat(refusal).hasMessageContaining("bukcet").hasMessageContaining("part_size_mib");
  }

  @Test
  void createAndTestConnectionRefuseWhatValidateRefuses() {
    Map<String, Object> config = Map.of("bucket", "NOT a bucket");

    assertThatThrownBy(() -> provider().validate(config))
        .isInstanceOf(InvalidConfigException.class);
    assertThatThrownBy(() -> provider().create(config)).isInstanceOf(InvalidConfigException.class);
    assertThatThrownBy(() -> provider().testConnection(config))
        .isInstanceOf(InvalidConfigException.class);
  }

  @Test
  void validateAsksNothingOfTheNetwork() {
    provider()
        .validate(
            Map.of("bucket", "some-bucket", "endpoint", "http://host.invalid:1", "region", "r"));
  }
}

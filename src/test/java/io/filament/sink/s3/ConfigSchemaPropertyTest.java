package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.full;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.filament.sink.InvalidConfigException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON Schema and {@link S3SinkConfig#fromMap} take the same configurations. */
class ConfigSchemaPropertyTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Schema SCHEMA =
      REGISTRY.getSchema(new S3SinkProvider().spec().toJsonSchema());

  /**
   * Values to choose from: those that the table of settings decides on, valid and not. What only
   * the sink can check, as the names of buckets, is always valid here.
   */
  private static final Map<String, List<Object>> VALUES = values();

  private static Map<String, List<Object>> values() {
    Map<String, List<Object>> values = new LinkedHashMap<>();
    values.put("bucket", List.of("lake", "lake", "lake", "lake", 1));
    values.put("region", List.of("eu-central-1", "eu-central-1", true));
    values.put("endpoint", List.of("http://localhost:9000", "http://localhost:9000", 1));
    values.put("path_style", List.of(true, false, "true"));
    values.put("use_fips", List.of(true, false, 1));
    values.put("use_dualstack", List.of(true, false, "on"));
    values.put("use_accelerate", List.of(true, false, "off"));
    values.put("http_client", List.of("auto", "crt", "netty"));
    values.put("proxy", List.of("http://localhost:3128", "http://localhost:3128", 3128));
    values.put("proxy_username", List.of("user", "user", 1));
    values.put("proxy_password", List.of("password", "password", 1));
    values.put(
        "auth_method",
        List.of("instance_profile", "iam_credentials", "assume_role", "web_identity", "none"));
    values.put("access_key_id", List.of("key", "key", "key", 1));
    values.put("secret_access_key", List.of("secret", "secret", "secret", List.of("secret")));
    values.put("session_token", List.of("token", "token", false));
    values.put("role_arn", List.of(Configs.ROLE, Configs.ROLE, true));
    values.put("external_id", List.of("external", "external", 1));
    values.put("role_session_name", List.of("session", "session", 1));
    values.put("web_identity_token_file", List.of("/token", "/token", 1));
    values.put("sts_endpoint", List.of("http://localhost:9001", 1));
    values.put("sts_region", List.of("eu-west-1", "eu-west-1", 1));
    values.put("checksum_mode", List.of("auto", "full_object", "composite", "none", "md5", 1));
    values.put("conditional_writes", List.of("auto", "probe", "require", "yes", 1));
    values.put("expected_bucket_owner", List.of("123456789012", "123456789012", 1));
    values.put("request_payer", List.of("none", "requester", "owner"));
    values.put(
        "server_side_encryption", List.of("none", "AES256", "aws:kms", "aws:kms:dsse", "kms"));
    values.put("kms_key_id", List.of("", "key", "key", 1));
    values.put("sse_customer_key", List.of(Configs.CUSTOMER_KEY, Configs.CUSTOMER_KEY, 1));
    values.put("prefix", List.of("", "a/b", 1));
    values.put("partition", List.of("", "dt={{.Date}}", 1));
    values.put("file_format", List.of("ndjson", "jsonl", "json", "parquet", "parquet", "csv", 1));
    values.put("compression", List.of("none", "gzip", "zstd", "snappy", "lz4", true));
    values.put("content_encoding", List.of("auto", "none", "gzip"));
    values.put("storage_class", List.of("STANDARD", "GLACIER_IR", "COLD"));
    values.put("acl", List.of("private", "public-read", "public"));
    values.put("object_tags", List.of("a=b", "a=b", 1));
    values.put("metadata", List.of("a=b", "a=b", 1));
    values.put(
        "part_size_mib", List.of(4, 5, 16, 16L, 5120, 5121, "16", 16.5, BigInteger.TWO.pow(70)));
    values.put("upload_concurrency", List.of(0, 1, (short) 32, 33, "4", -1));
    values.put("retry_timeout_s", List.of(0, 300, 86_400, 86_401, "300", -1));
    values.put("encode_threads", List.of(0, 1, (short) 32, 33, "4", -1));
    values.put("memory_limit_mib", List.of(0, 1, 64L, 1_048_576, 1_048_577, "64"));
    values.put("nonsense", List.of("x"));
    return values;
  }

  @Test
  void schemaIsAJsonSchema() {
    JsonNode schema = JSON.readTree(new S3SinkProvider().spec().toJsonSchema());
    assertThat(schema.get("$schema").stringValue())
        .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    assertThat(
            REGISTRY
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"))
                .validate(schema))
        .isEmpty();
  }

  @Test
  void schemaAndSinkTakeTheSameConfigurations() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    int taken = 0;
    for (int i = 0; i < 4_000; i++) {
      Map<String, Object> config = new LinkedHashMap<>();
      VALUES.forEach(
          (name, values) -> {
            if (name.equals("bucket") || random.nextInt(8) == 0) {
              config.put(name, values.get(random.nextInt(values.size())));
            }
          });
      if (random.nextInt(30) == 0) {
        config.remove("bucket");
      }
      if (random.nextInt(10) != 0) {
        config.remove("nonsense");
      }
      boolean takes = assertSchemaAndSinkAgree(config, "-Dseed=" + seed);
      taken += takes ? 1 : 0;
    }
    assertThat(taken).as("taken with -Dseed=%s", seed).isBetween(100, 3_900);
  }

  /** Settings that depend on one another, and on no others. */
  static List<List<String>> families() {
    return List.of(
        List.of("file_format", "compression"),
        List.of("auth_method", "access_key_id", "secret_access_key", "session_token"),
        List.of(
            "auth_method",
            "role_arn",
            "external_id",
            "role_session_name",
            "web_identity_token_file"),
        List.of("auth_method", "role_arn", "access_key_id", "secret_access_key", "sts_region"),
        List.of("auth_method", "role_arn", "sts_endpoint", "sts_region"),
        List.of("endpoint", "path_style", "use_fips", "use_dualstack", "use_accelerate"),
        List.of("http_client", "proxy", "proxy_username", "proxy_password"),
        List.of("server_side_encryption", "kms_key_id", "sse_customer_key"));
  }

  @ParameterizedTest
  @MethodSource("families")
  void schemaAndSinkAgreeOnAllThatDependsOnOtherSettings(List<String> family) {
    List<Map<String, Object>> configs = List.of(Map.of("bucket", "lake"));
    for (String name : family) {
      List<Map<String, Object>> next = new ArrayList<>(configs);
      for (Map<String, Object> config : configs) {
        for (Object value : List.copyOf(new LinkedHashSet<>(VALUES.get(name)))) {
          Map<String, Object> more = new LinkedHashMap<>(config);
          more.put(name, value);
          next.add(more);
        }
      }
      configs = next;
    }
    configs.forEach(config -> assertSchemaAndSinkAgree(config, "all combinations"));
  }

  @Test
  void schemaTakesWhatAConfigurationSaysOfItself() {
    assertThat(takes(S3SinkConfig.fromMap(full()).toMap())).isTrue();
    assertThat(takes(S3SinkConfig.fromMap(Map.of("bucket", "lake")).toMap())).isTrue();
  }

  private static boolean assertSchemaAndSinkAgree(Map<String, Object> config, String what) {
    boolean valid;
    try {
      valid = S3SinkConfig.fromMap(config).bucket().equals("lake");
    } catch (InvalidConfigException e) {
      valid = false;
    }
    assertThat(takes(config)).as("the schema takes %s (%s)", config, what).isEqualTo(valid);
    return valid;
  }

  private static boolean takes(Map<String, Object> config) {
    return SCHEMA.validate(JSON.<JsonNode>valueToTree(config)).isEmpty();
  }
}

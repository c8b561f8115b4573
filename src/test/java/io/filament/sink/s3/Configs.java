package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.InvalidConfigException;
import io.filament.sink.InvalidConfigException.Problem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Configurations for tests, and what is refused of them. */
final class Configs {

  static final String KEY_ID = "AKIDfillerNOTreal";
  static final String SECRET = "sEcReT/+filler=";
  static final String TOKEN = "tOkEnFiller==";
  static final String PASSWORD = "pAsSwOrDfiller";
  static final String ROLE = "arn:aws:iam::123456789012:role/team/writer";

  /** The bytes 0 to 31. */
  static final String CUSTOMER_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

  private Configs() {}

  static Map<String, Object> full() {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("bucket", "lake");
    config.put("region", "eu-central-1");
    config.put("endpoint", "https://s3.example.com:9000/base");
    config.put("path_style", false);
    config.put("use_fips", false);
    config.put("use_dualstack", false);
    config.put("use_accelerate", false);
    config.put("http_client", "apache5");
    config.put("proxy", "http://proxy.example.com:3128");
    config.put("proxy_username", "user");
    config.put("proxy_password", PASSWORD);
    config.put("auth_method", "assume_role");
    config.put("access_key_id", KEY_ID);
    config.put("secret_access_key", SECRET);
    config.put("session_token", TOKEN);
    config.put("role_arn", ROLE);
    config.put("external_id", "external-1");
    config.put("role_session_name", "nightly");
    config.put("sts_endpoint", "https://sts.example.com");
    config.put("sts_region", "eu-west-1");
    config.put("checksum_mode", "composite");
    config.put("conditional_writes", "probe");
    config.put("expected_bucket_owner", "123456789012");
    config.put("request_payer", "requester");
    config.put("server_side_encryption", "none");
    config.put("sse_customer_key", CUSTOMER_KEY);
    config.put("prefix", "raw/crm");
    config.put("partition", "{{.Run}}");
    config.put("file_format", "parquet");
    config.put("compression", "zstd");
    config.put("content_encoding", "none");
    config.put("storage_class", "STANDARD_IA");
    config.put("acl", "bucket-owner-full-control");
    config.put("object_tags", "team=data,stage=raw");
    config.put("metadata", "source=crm");
    config.put("part_size_mib", 5120);
    config.put("upload_concurrency", 32);
    config.put("encode_threads", 32);
    config.put("memory_limit_mib", 1_048_576);
    return config;
  }

  static Map<String, Object> changed(String name, Object value) {
    Map<String, Object> config = full();
    config.put(name, value);
    return config;
  }

  /** A configuration that is valid but for this one value. */
  static Map<String, Object> with(String name, Object value) {
    Map<String, Object> config = new HashMap<>(Map.of("bucket", "lake"));
    config.put(name, value);
    return config;
  }

  static S3SinkConfig read(String name, Object value) {
    return S3SinkConfig.fromMap(with(name, value));
  }

  static InvalidConfigException refusal(Map<String, ?> config) {
    InvalidConfigException refusal =
        catchThrowableOfType(InvalidConfigException.class, () -> S3SinkConfig.fromMap(config));
    assertThat(refusal).as("refusal").isNotNull();
    return refusal;
  }

  static void assertProblem(String name, Object value, String message) {
    assertProblems(with(name, value), new Problem(name, message));
  }

  static void assertProblems(Map<String, ?> config, Problem... problems) {
    assertThat(refusal(config).problems()).isEqualTo(Arrays.asList(problems));
  }
}

package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.full;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.filament.sink.ConfigField;
import io.filament.sink.ConnectionLevel;
import io.filament.sink.InvalidConfigException;
import io.filament.sink.SinkProvider;
import io.filament.sink.SinkSpec;
import io.filament.sink.WriteMode;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class S3SinkProviderTest {

  private final SinkProvider provider = new S3SinkProvider();

  @Test
  void hostsFindItByItsName() {
    assertThat(ServiceLoader.load(SinkProvider.class))
        .filteredOn(found -> found.name().equals("s3"))
        .hasOnlyElementsOfType(S3SinkProvider.class)
        .hasSize(1);
  }

  @Test
  void specDescribesTheSink() {
    SinkSpec spec = provider.spec();
    assertThat(spec.name()).isEqualTo(provider.name());
    assertThat(spec.displayName()).isEqualTo("Amazon S3");
    assertThat(spec.maturity()).isEqualTo(SinkSpec.Maturity.BETA);
    assertThat(spec.writeModes()).containsExactlyInAnyOrder(WriteMode.values());
    assertThat(spec.durability()).isEqualTo(SinkSpec.Durability.AFTER_COMMIT);
    assertThat(spec.atomicity()).isEqualTo(SinkSpec.Atomicity.RESOURCE);
  }

  /** A resource that the build did not fill would say ${project.version}. */
  @Test
  void versionIsThatOfTheBuild() {
    assertThat(provider.spec().version()).matches("[0-9]+\\.[0-9]+\\.[0-9]+(-[A-Za-z0-9.]+)?");
  }

  /** Names, types and scopes that configurations of hosts are written against. */
  @Test
  void settingsKeepTheirNamesTypesAndScopes() {
    assertThat(provider.spec().fields())
        .extracting(field -> field.name() + " " + field.type() + " " + field.scope())
        .containsExactly(
            "bucket STRING CONNECTION",
            "region STRING CONNECTION",
            "endpoint STRING CONNECTION",
            "path_style BOOLEAN CONNECTION",
            "use_fips BOOLEAN CONNECTION",
            "use_dualstack BOOLEAN CONNECTION",
            "use_accelerate BOOLEAN CONNECTION",
            "http_client ENUM CONNECTION",
            "proxy STRING CONNECTION",
            "proxy_username STRING CONNECTION",
            "proxy_password SECRET CONNECTION",
            "auth_method ENUM CONNECTION",
            "access_key_id SECRET CONNECTION",
            "secret_access_key SECRET CONNECTION",
            "session_token SECRET CONNECTION",
            "role_arn STRING CONNECTION",
            "external_id STRING CONNECTION",
            "role_session_name STRING CONNECTION",
            "web_identity_token_file STRING CONNECTION",
            "sts_endpoint STRING CONNECTION",
            "sts_region STRING CONNECTION",
            "checksum_mode ENUM CONNECTION",
            "conditional_writes ENUM CONNECTION",
            "expected_bucket_owner STRING CONNECTION",
            "request_payer ENUM CONNECTION",
            "server_side_encryption ENUM CONNECTION",
            "kms_key_id STRING CONNECTION",
            "sse_customer_key SECRET CONNECTION",
            "prefix STRING PIPELINE",
            "partition STRING PIPELINE",
            "file_format ENUM PIPELINE",
            "compression ENUM PIPELINE",
            "content_encoding ENUM PIPELINE",
            "storage_class ENUM PIPELINE",
            "acl ENUM PIPELINE",
            "object_tags STRING PIPELINE",
            "metadata STRING PIPELINE",
            "part_size_mib INT PIPELINE",
            "upload_concurrency INT PIPELINE",
            "retry_timeout_s INT PIPELINE",
            "encode_threads INT PIPELINE",
            "memory_limit_mib INT PIPELINE");
  }

  @Test
  void everySettingHasHelp() {
    assertThat(provider.spec().fields())
        .extracting(ConfigField::help)
        .allMatch(help -> help.endsWith("."));
  }

  @Test
  void validationReportsAllProblems() {
    assertThatCode(() -> provider.validate(full())).doesNotThrowAnyException();
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> provider.validate(Map.of("part_size_mib", 1)))
        .withMessage(
            "invalid configuration: bucket: is required; part_size_mib: must be 5 to 5120, not 1");
  }

  @Test
  void connectionTestAndSinkWantAValidConfiguration() {
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> provider.testConnection(Map.of()))
        .withMessageContaining("bucket: is required");
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> provider.create(Map.of()))
        .withMessageContaining("bucket: is required");
    assertThatExceptionOfType(InvalidConfigException.class)
        .isThrownBy(() -> provider.testConnection(Map.of(), ConnectionLevel.WRITE))
        .withMessageContaining("bucket: is required");
  }
}

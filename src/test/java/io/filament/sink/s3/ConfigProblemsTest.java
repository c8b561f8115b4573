package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.assertProblem;
import static io.filament.sink.s3.Configs.assertProblems;
import static io.filament.sink.s3.Configs.read;
import static io.filament.sink.s3.Configs.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidConfigException;
import io.filament.sink.InvalidConfigException.Problem;
import io.filament.sink.ObjectFormat;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigProblemsTest {

  @Test
  void allProblemsComeAtOnceInTheOrderOfTheSettings() {
    Map<String, Object> config = new TreeMap<>();
    config.put("upload_concurrency", 0);
    config.put("part_size_mib", "16");
    config.put("compression", "lzo");
    config.put("file_format", "csv");
    config.put("partition", "{{.Day}}");
    config.put("prefix", "123//456");
    config.put("checksum_mode", "crc32c");
    config.put("session_token", 7);
    config.put("access_key_id", "");
    config.put("auth_method", "iam_credentials");
    config.put("path_style", "yes");
    config.put("endpoint", "localhost:9000");
    config.put("region", "eu central");
    config.put("bucket", "B");
    config.put("zz", 1);
    config.put("aa", 1);

    InvalidConfigException refusal = refusal(config);

    assertThat(refusal.problems())
        .extracting(Problem::field)
        .containsExactly(
            "bucket",
            "region",
            "endpoint",
            "path_style",
            "access_key_id",
            "secret_access_key",
            "session_token",
            "checksum_mode",
            "prefix",
            "partition",
            "file_format",
            "compression",
            "part_size_mib",
            "upload_concurrency",
            "aa",
            "zz");
    assertThat(refusal)
        .hasMessageStartingWith(
            "invalid configuration: bucket: must have 3 to 63 characters, not 1: \"B\"; region: ");
    assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bucketIsRequired() {
    assertProblems(Map.of(), new Problem("bucket", "is required"));
    assertProblems(Map.of("region", "x"), new Problem("bucket", "is required"));
  }

  @ParameterizedTest
  @CsvSource({
    "Bucket,did you mean bucket?",
    "partSizeMib,did you mean part_size_mib?",
    "part-size-mib,did you mean part_size_mib?",
    "compresion,did you mean compression?",
    "secret_acces_key,did you mean secret_access_key?",
    "regions,did you mean region?",
    "'',the settings are",
    "retention_days,the settings are",
  })
  void unknownNamesAreRefused(String name, String hint) {
    InvalidConfigException refusal = refusal(Map.of("bucket", "lake", name, "value-of-it"));
    assertThat(refusal.problems()).extracting(Problem::field).containsExactly(name);
    assertThat(refusal.problems().get(0).message()).startsWith("is no setting; " + hint);
    assertThat(refusal).hasMessageNotContaining("value-of-it");
  }

  @Test
  void unknownNamesListTheSettings() {
    assertProblem(
        "nonsense",
        1,
        "is no setting; the settings are bucket, region, endpoint, path_style, use_fips, "
            + "use_dualstack, use_accelerate, http_client, proxy, proxy_username, proxy_password, "
            + "auth_method, access_key_id, secret_access_key, session_token, role_arn, "
            + "external_id, role_session_name, web_identity_token_file, sts_endpoint, "
            + "sts_region, checksum_mode, conditional_writes, expected_bucket_owner, request_payer, "
            + "server_side_encryption, kms_key_id, sse_customer_key, prefix, partition, "
            + "file_format, compression, content_encoding, storage_class, acl, object_tags, "
            + "metadata, part_size_mib, upload_concurrency, retry_timeout_s, encode_threads, "
            + "memory_limit_mib");
  }

  @Test
  void nameThatIsNullIsRefused() {
    Map<String, Object> config = new HashMap<>(Map.of("bucket", "lake"));
    config.put(null, "x");
    assertThat(refusal(config).problems()).extracting(Problem::field).containsExactly("null");
  }

  @Test
  void wrongTypesAreRefused() {
    assertProblem("region", 7, "must be a text, not the Integer \"7\"");
    assertProblem(
        "prefix", new ArrayList<>(List.of("a")), "must be a text, not the ArrayList \"[a]\"");
    assertProblem("file_format", FileFormat.JSON, "must be a text, not the FileFormat \"JSON\"");
    assertProblem("path_style", "true", "must be true or false, not the String \"true\"");
    assertProblem("path_style", 1, "must be true or false, not the Integer \"1\"");
    assertProblem("part_size_mib", "16", "must be a whole number, not the String \"16\"");
    assertProblem("part_size_mib", 16.0, "must be a whole number, not the Double \"16.0\"");
    assertProblem(
        "part_size_mib", new BigDecimal("16"), "must be a whole number, not the BigDecimal \"16\"");
    assertProblem("part_size_mib", true, "must be a whole number, not the Boolean \"true\"");
    assertProblem(
        "upload_concurrency",
        new AtomicInteger(4),
        "must be a whole number, not the AtomicInteger \"4\"");
  }

  @Test
  void everyWholeNumberInRangeIsTaken() {
    assertThat(
            List.of(
                read("part_size_mib", (byte) 5),
                read("part_size_mib", (short) 5),
                read("part_size_mib", 5L)))
        .containsOnly(read("part_size_mib", 5));
    assertThat(read("part_size_mib", BigInteger.valueOf(5120)).partSizeMib()).isEqualTo(5120);
    assertThat(read("upload_concurrency", 1).uploadConcurrency()).isEqualTo(1);
    assertThat(read("upload_concurrency", 32).uploadConcurrency()).isEqualTo(32);
    assertThat(read("encode_threads", 1).encodeThreads()).isEqualTo(1);
    assertThat(read("encode_threads", 32).encodeThreads()).isEqualTo(32);
    assertThat(read("memory_limit_mib", 1).memoryLimitMib()).isEqualTo(1);
    assertThat(read("memory_limit_mib", 1_048_576).memoryLimitMib()).isEqualTo(1_048_576);
    assertThat(read("part_size_mib", 256).partSizeMib()).isEqualTo(256);
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertProblem("part_size_mib", 4, "must be 5 to 5120, not 4");
    assertProblem("part_size_mib", 5121, "must be 5 to 5120, not 5121");
    assertProblem("part_size_mib", -16, "must be 5 to 5120, not -16");
    assertProblem("upload_concurrency", 0, "must be 1 to 32, not 0");
    assertProblem("upload_concurrency", 33, "must be 1 to 32, not 33");
    assertProblem("encode_threads", 0, "must be 1 to 32, not 0");
    assertProblem("encode_threads", 33, "must be 1 to 32, not 33");
    assertProblem("memory_limit_mib", 0, "must be 1 to 1048576, not 0");
    assertProblem("memory_limit_mib", 1_048_577, "must be 1 to 1048576, not 1048577");
    // These are 16 once their upper bits are cut off.
    assertProblem("part_size_mib", (1L << 32) + 16, "must be 5 to 5120, not 4294967312");
    assertProblem(
        "part_size_mib",
        BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(16)),
        "must be 5 to 5120, not 18446744073709551632");
  }

  /** S3 refuses smaller parts, in MiB and not in millions. */
  @Test
  void smallestPartIsFiveMebibytes() {
    assertThat(read("part_size_mib", 5).partSizeBytes()).isEqualTo(5_242_880L);
    assertThat(read("part_size_mib", 5120).partSizeBytes()).isEqualTo(5_368_709_120L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "Parquet", " PARQUET ", "\tparquet\n"})
  void caseAndBlanksOfWordsAreForgiven(String word) {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr"));
      assertThat(read("file_format", word).fileFormat()).isEqualTo(FileFormat.PARQUET);
      assertThat(read("compression", " GZIP").compression()).isEqualTo(Compression.GZIP);
      assertThat(read("auth_method", "INSTANCE_PROFILE").authMethod())
          .isEqualTo(AuthMethod.INSTANCE_PROFILE);
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "csv", "par quet", "json lines", "ndjson.gz"})
  void otherFormatsAreRefused(String format) {
    assertProblem(
        "file_format",
        format,
        "must be one of ndjson, jsonl, json, parquet, not \"" + format + "\"");
  }

  /** The table of the settings and the type that the encoders get have one opinion. */
  @Test
  void compressionFitsTheFormat() {
    for (FileFormat format : FileFormat.values()) {
      for (Compression compression : Compression.values()) {
        boolean fits;
        try {
          fits = new ObjectFormat(format, compression).compression() == compression;
        } catch (IllegalArgumentException e) {
          fits = false;
        }
        Map<String, Object> config =
            Map.of(
                "bucket",
                "lake",
                "file_format",
                format.label(),
                "compression",
                compression.label());
        if (fits) {
          assertThat(S3SinkConfig.fromMap(config).objectFormat())
              .isEqualTo(new ObjectFormat(format, compression));
        } else {
          assertProblems(
              config,
              new Problem(
                  "compression",
                  "must be one of none, gzip, zstd with file_format "
                      + format.label()
                      + ", not snappy"));
        }
      }
    }
    assertProblem("compression", "lz4", "must be one of none, snappy, gzip, zstd, not \"lz4\"");
    assertProblem(
        "compression",
        "snappy",
        "must be one of none, gzip, zstd with file_format ndjson, not snappy");
  }

  @Test
  void wrongFormatDoesNotBlameTheCompression() {
    assertThat(
            refusal(Map.of("bucket", "lake", "file_format", "parket", "compression", "snappy"))
                .problems())
        .extracting(Problem::field)
        .containsExactly("file_format");
  }
}

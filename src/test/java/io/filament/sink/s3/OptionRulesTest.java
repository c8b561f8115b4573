package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.CUSTOMER_KEY;
import static io.filament.sink.s3.Configs.ROLE;
import static io.filament.sink.s3.Configs.assertProblems;
import static io.filament.sink.s3.Configs.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.ConfigField;
import io.filament.sink.InvalidConfigException.Problem;
import io.filament.sink.s3.internal.publish.Attempt;
import io.filament.sink.s3.internal.store.ObjectOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.StorageClass;

/** What is refused of the settings of access and of objects, and what the others become. */
class OptionRulesTest {

  private static final String BUCKET_ARN = "arn:aws:s3:eu-west-1:123456789012:accesspoint/point";

  /** A release of the SDK that knows more shows here. */
  @Test
  void wordsAreThoseOfTheSdk() {
    assertThat(ObjectSettings.STORAGE_CLASS.allowedValues())
        .containsExactlyElementsOf(
            StorageClass.knownValues().stream().map(StorageClass::toString).toList());
    assertThat(ObjectSettings.ACL.allowedValues())
        .containsExactlyElementsOf(
            ObjectCannedACL.knownValues().stream().map(ObjectCannedACL::toString).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "server_side_encryption,aes256,AES256",
    "server_side_encryption,' AWS:KMS',aws:kms",
    "storage_class,standard_ia,STANDARD_IA",
    "acl,Public-Read,public-read",
    "request_payer,REQUESTER,requester",
  })
  void wordsAreSentAsS3SpellsThem(String name, String word, String spelling) {
    assertThat(read(name, word).toMap()).containsEntry(name, spelling);
  }

  @Test
  void kmsKeyBelongsToKmsAlone() {
    assertProblem(
        "kms_key_id", "key", "is allowed only with server_side_encryption aws:kms or aws:kms:dsse");
    assertProblems(
        config("server_side_encryption", "AES256", "kms_key_id", "key"),
        new Problem(
            "kms_key_id", "is allowed only with server_side_encryption aws:kms or aws:kms:dsse"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void blankKmsKeyIsNone(String blank) {
    S3SinkConfig config =
        S3SinkConfig.fromMap(config("server_side_encryption", "aws:kms", "kms_key_id", blank));

    assertThat(config.objectOptions().encryption().algorithm()).contains("aws:kms");
    assertThat(config.objectOptions().encryption().kmsKeyId()).isEmpty();
  }

  @Test
  void customersKeyExcludesTheStores() {
    assertProblems(
        config("server_side_encryption", "aws:kms", "sse_customer_key", CUSTOMER_KEY),
        new Problem("sse_customer_key", "is allowed only with server_side_encryption none"));
    assertProblem("sse_customer_key", "AAAA", "must be Base64 of 32 bytes, not of 3");
    assertProblem("sse_customer_key", CUSTOMER_KEY + "?", "must be Base64 of 32 bytes");
  }

  @Test
  void settingsOfARoleBelongToIt() {
    for (String name : List.of("role_arn", "role_session_name", "sts_endpoint", "sts_region")) {
      assertProblem(name, "value", "is allowed only with auth_method assume_role or web_identity");
    }
    assertProblem("external_id", "value", "is allowed only with auth_method assume_role");
    assertProblem(
        "web_identity_token_file", "value", "is allowed only with auth_method web_identity");
    assertProblem(
        "auth_method", "assume_role", "role_arn", "is required with auth_method assume_role");
    assertProblems(
        config("auth_method", "web_identity", "access_key_id", "id"),
        new Problem(
            "access_key_id", "is allowed only with auth_method iam_credentials or assume_role"));
  }

  @Test
  void keysThatAssumeARoleComeTogether() {
    Map<String, Object> role = config("auth_method", "assume_role", "role_arn", ROLE);
    assertThat(S3SinkConfig.fromMap(role).clientSettings().credentials()).isEmpty();

    assertProblems(
        with(role, "access_key_id", "id"),
        new Problem("secret_access_key", "is required with access_key_id"));
    assertProblems(
        with(role, "secret_access_key", "secret"),
        new Problem("access_key_id", "is required with secret_access_key"));
    assertProblems(
        with(role, "session_token", "token"),
        new Problem("access_key_id", "is required with session_token"));
  }

  @ParameterizedTest
  @CsvSource({
    "role_arn,arn:aws:s3:::lake,must be a role's ARN",
    "role_session_name,a b,must have 2 to 64 letters",
    "external_id,x,must have 2 to 1224 letters",
    "sts_endpoint,sts.example.com,must begin with http:// or https://",
    "sts_region,eu west,must be a region of AWS",
  })
  void partsOfARoleHaveTheirForms(String name, String value, String problem) {
    Map<String, Object> config = config("auth_method", "assume_role", "role_arn", ROLE);
    assertThat(Configs.refusal(with(config, name, value)).problems())
        .singleElement()
        .satisfies(
            only -> {
              assertThat(only.field()).isEqualTo(name);
              assertThat(only.message()).startsWith(problem);
            });
  }

  @Test
  void endpointsOfAwsDoNotGoWithAnother() {
    for (String name : List.of("use_fips", "use_dualstack", "use_accelerate")) {
      assertProblems(
          config("endpoint", "http://localhost:9000", name, true),
          new Problem(name, "is not allowed with endpoint"));
      assertThat(S3SinkConfig.fromMap(config("endpoint", "http://localhost:9000", name, false)))
          .isNotNull();
    }
  }

  @Test
  void accelerationNeedsTheBucketInTheHostsName() {
    assertProblems(
        config("path_style", true, "use_accelerate", true),
        new Problem("use_accelerate", "is not allowed with path_style true"));
    assertProblems(
        config("bucket", "my.lake", "use_accelerate", true),
        new Problem(
            "use_accelerate", "is not allowed with a bucket whose name has dots: \"my.lake\""));
    assertProblems(
        config("bucket", BUCKET_ARN, "use_accelerate", true),
        new Problem("use_accelerate", "is not allowed with the ARN of an access point"));
    assertProblems(
        config("use_fips", true, "use_accelerate", true),
        new Problem("use_accelerate", "is not allowed with use_fips true"));
  }

  @Test
  void proxyHasNoKeysInItsUrl() {
    assertProblem("proxy_username", "user", "is allowed only with proxy");
    assertProblem("proxy_password", "password", "is allowed only with proxy_username");
    assertProblem(
        "proxy", "http://u:p@host", "must not hold \"@\"; keys have settings of their own");
    assertProblem("proxy", "http://host/a", "must have no path: \"http://host/a\"");
    assertThat(read("proxy", "https://host").proxy()).hasToString("Optional[https://host:443]");
    assertThat(read("proxy", "http://host/").proxy()).hasToString("Optional[http://host:80]");
  }

  @Test
  void ownerIsAnAccount() {
    assertProblem(
        "expected_bucket_owner",
        "1234-5678-9012",
        "must be the 12 digits of an AWS account: \"1234-5678-9012\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a         | must be name=value pairs with commas between them
          a=b,      | must be name=value pairs with commas between them
          =b        | must be name=value pairs with commas between them
          a=1,a=2   | has the name "a" twice
          AWS:a=b   | must not have names that begin with "aws:"
          a=b&c     | must have only letters, digits, blanks and + - = . _ : / @ in tags
          """)
  void tagsThatS3RefusesAreRefused(String tags, String problem) {
    assertThat(Configs.refusal(config("object_tags", tags)).problems())
        .singleElement()
        .satisfies(only -> assertThat(only.message()).startsWith(problem));
  }

  @Test
  void tagsHaveLimits() {
    assertThat(read("object_tags", "a = b , c=d e=é,f=").objectTags())
        .isEqualTo(Map.of("a", "b", "c", "d e=é", "f", ""));
    assertThat(read("object_tags", pairs(10)).objectTags()).hasSize(10);
    assertProblem("object_tags", pairs(11), "must be at most 10 tags, not 11");
    String name = "n".repeat(128);
    assertThat(read("object_tags", name + "=" + "v".repeat(256)).objectTags()).hasSize(1);
    assertThat(Configs.refusal(config("object_tags", name + "n=")).getMessage())
        .contains("must have names of at most 128 characters");
    assertThat(Configs.refusal(config("object_tags", "n=" + "v".repeat(257))).getMessage())
        .contains("must have values of at most 256 characters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a                  | must be name=value pairs with commas between them
          a=                 | must have values of printable ASCII, at least one character
          a=é                | must have values of printable ASCII, at least one character
          a b=c              | must have names that HTTP headers may have
          a=1,A=2            | has the name "A" twice
          Filament-attempt=x | must not have names that begin with "filament-"
          """)
  void metadataThatCannotBeSentIsRefused(String metadata, String problem) {
    assertThat(Configs.refusal(config("metadata", metadata)).problems())
        .singleElement()
        .satisfies(only -> assertThat(only.message()).startsWith(problem));
  }

  /** S3 User Guide, object metadata: 2 KiB of names and values in all. */
  @Test
  void metadataFitsWithTheSinksOwn() {
    String most = "a=" + "v".repeat(947);
    assertThat(read("metadata", most).metadata()).hasSize(1);
    assertThat(Configs.refusal(config("metadata", most + "v")).getMessage())
        .contains("must have at most 948 bytes of names and values, not 949");
    Map<String, String> marks =
        new Attempt("é".repeat(9_999), "t".repeat(45), Optional.empty(), Optional.empty()).marks();
    int own =
        marks.entrySet().stream()
            .mapToInt(mark -> mark.getKey().length() + mark.getValue().length())
            .sum();
    assertThat(own + 948).isLessThanOrEqualTo(2048);
  }

  @Test
  void metadataIsNamedInLowerCase() {
    assertThat(read("metadata", "X-Source=CRM").metadata()).isEqualTo(Map.of("x-source", "CRM"));
  }

  @Test
  void defaultsAskForNothing() {
    assertThat(
            S3SinkConfig.fromMap(config("server_side_encryption", "none", "request_payer", "none"))
                .objectOptions())
        .isEqualTo(ObjectOptions.NONE);
  }

  @Test
  void secretsAreWhatNobodyMaySee() {
    assertThat(Settings.SECRETS)
        .extracting(ConfigField::name)
        .containsExactly(
            "proxy_password",
            "access_key_id",
            "secret_access_key",
            "session_token",
            "sse_customer_key");
  }

  private static void assertProblem(String name, Object value, String problem) {
    assertProblem(name, value, name, problem);
  }

  private static void assertProblem(String name, Object value, String field, String problem) {
    assertProblems(config(name, value), new Problem(field, problem));
  }

  private static String pairs(int count) {
    return IntStream.range(0, count).mapToObj(i -> "t" + i + "=v").collect(Collectors.joining(","));
  }

  private static Map<String, Object> with(Map<String, Object> config, String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(config);
    more.put(name, value);
    return more;
  }

  private static Map<String, Object> config(Object... namesAndValues) {
    Map<String, Object> config = new LinkedHashMap<>(Map.of("bucket", "lake"));
    for (int i = 0; i < namesAndValues.length; i += 2) {
      config.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return config;
  }
}

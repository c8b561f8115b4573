package io.filament.sink.s3;

import static io.filament.sink.s3.Configs.CUSTOMER_KEY;
import static io.filament.sink.s3.Configs.KEY_ID;
import static io.filament.sink.s3.Configs.PASSWORD;
import static io.filament.sink.s3.Configs.SECRET;
import static io.filament.sink.s3.Configs.TOKEN;
import static io.filament.sink.s3.Configs.assertProblem;
import static io.filament.sink.s3.Configs.assertProblems;
import static io.filament.sink.s3.Configs.changed;
import static io.filament.sink.s3.Configs.full;
import static io.filament.sink.s3.Configs.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.InvalidConfigException;
import io.filament.sink.InvalidConfigException.Problem;
import java.nio.CharBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

  @Test
  void keysBelongToIamCredentialsAlone() {
    assertProblems(
        Map.of("bucket", "lake", "auth_method", "iam_credentials"),
        new Problem("access_key_id", "is required with auth_method iam_credentials"),
        new Problem("secret_access_key", "is required with auth_method iam_credentials"));
    for (String name : List.of("access_key_id", "secret_access_key", "session_token")) {
      assertProblem(
          name, SECRET, "is allowed only with auth_method iam_credentials or assume_role");
    }
  }

  @Test
  void wrongAuthMethodDoesNotBlameTheKeys() {
    Map<String, Object> config = full();
    config.put("auth_method", "iam");
    assertProblems(
        config,
        new Problem(
            "auth_method",
            "must be one of instance_profile, iam_credentials, assume_role, web_identity, not"
                + " \"iam\""));
  }

  @ParameterizedTest
  @CsvSource({
    "'',must not be blank",
    "'  ',must not be blank",
    "' sEcReT',must not begin or end with white space",
    "'sEcReT\n',must not begin or end with white space",
    "'sEc\nReT',must not hold control characters",
  })
  void keysWithWhiteSpaceAreRefused(String key, String problem) {
    for (String name : List.of("access_key_id", "secret_access_key", "session_token")) {
      Map<String, Object> config = full();
      config.put(name, key);
      assertProblems(config, new Problem(name, problem));
    }
  }

  @Test
  void secretsShowNowhere() {
    S3SinkConfig config = S3SinkConfig.fromMap(full());
    assertThat(config.toMap())
        .containsEntry("access_key_id", "***")
        .containsEntry("secret_access_key", "***")
        .containsEntry("session_token", "***")
        .containsEntry("proxy_password", "***")
        .containsEntry("sse_customer_key", "***");
    assertThat(
            config.toString()
                + config.toMap()
                + config.clientSettings()
                + config.objectOptions()
                + config.objectOptions().encryption().customerKey().orElseThrow())
        .contains("lake")
        .doesNotContain(KEY_ID, SECRET, TOKEN, PASSWORD, CUSTOMER_KEY)
        .doesNotContain("tP/LI3N87DFaSk0aoqYgzg");
  }

  @Test
  void secretsShowInNoRefusal() {
    List<Map<String, Object>> broken =
        List.of(
            changed("auth_method", "instance_profile"),
            changed("bucket", null),
            changed("access_key_id", List.of(KEY_ID)),
            changed("secret_access_key", CharBuffer.wrap(SECRET)),
            changed("session_token", Map.of("token", TOKEN)),
            changed("secret_access_key", SECRET + "\n"),
            changed("secret_acess_key", SECRET),
            changed("endpoint", "https://" + KEY_ID + ":" + SECRET + "@s3.example.com"),
            changed("endpoint", "https://" + KEY_ID + ":a b " + TOKEN + "@s3.example.com"),
            changed("endpoint", "https://s3.example.com?X-Amz-Security-Token=" + TOKEN),
            changed("endpoint", "https://s3.example.com#" + TOKEN),
            changed("proxy", "http://user:" + PASSWORD + "@proxy.example.com"),
            changed("sts_endpoint", "http://user:" + PASSWORD + "@sts.example.com"),
            changed("sse_customer_key", CUSTOMER_KEY + "!"),
            changed("sse_customer_key", CUSTOMER_KEY.substring(8)),
            changed("server_side_encryption", "AES256"),
            changed("proxy_username", null));
    assertThat(broken)
        .allSatisfy(
            config -> {
              InvalidConfigException refusal = refusal(config);
              assertThat(refusal.getMessage() + refusal.problems() + refusal.getCause())
                  .doesNotContain(KEY_ID, SECRET, TOKEN, PASSWORD, CUSTOMER_KEY.substring(8, 40));
            });
  }
}

package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publish;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.filament.sink.InvalidConfigException;
import io.filament.sink.Sink;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.S3SinkProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Secrets show nowhere. */
class SecretsTest extends WithBucket {

  private static final String KEY_ID = "AKIDSECRETKEYID";
  private static final String SECRET = "sEcReT/access+KEY";
  private static final String TOKEN = "session-TOKEN-secret";

  private Map<String, Object> settings(Object... more) {
    Map<String, Object> settings = bucket.settings(more);
    settings.put("access_key_id", KEY_ID);
    settings.put("secret_access_key", SECRET);
    settings.put("session_token", TOKEN);
    return settings;
  }

  private static void assertNoSecret(String text) {
    assertThat(text).isNotNull().doesNotContain(KEY_ID, SECRET, TOKEN);
  }

  private static String printed(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void areMaskedInTheConfiguration() {
    S3SinkConfig config = S3SinkConfig.fromMap(settings());

    assertNoSecret(config.toString());
    assertNoSecret(config.toMap().toString());
    assertThat(config.toMap())
        .containsKeys("bucket", "access_key_id", "secret_access_key", "session_token");
  }

  @Test
  void areNotInTheSinksText() throws IOException {
    try (Sink sink = S3Sink.create(settings())) {
      assertNoSecret(sink.toString());
      assertNoSecret(sink.spec().toString());
    }
  }

  @Test
  void areNotInTheRefusalOfAConfiguration() {
    Throwable refusal =
        catchThrowable(
            () ->
                S3SinkConfig.fromMap(
                    settings("auth_method", "instance_profile", "part_size_mib", "many", "x", 1)));

    assertThat(refusal).isInstanceOf(InvalidConfigException.class);
    assertNoSecret(printed(refusal));
  }

  @Test
  void ofTheWrongTypeAreNotInTheRefusal() {
    Map<String, Object> settings = bucket.settings();
    settings.put("access_key_id", 31_415_926);
    settings.put("secret_access_key", List.of(SECRET));
    InvalidConfigException refusal =
        catchThrowableOfType(InvalidConfigException.class, () -> S3SinkConfig.fromMap(settings));

    assertThat(refusal.problems())
        .extracting("field")
        .containsExactlyInAnyOrder("access_key_id", "secret_access_key");
    assertThat(printed(refusal)).doesNotContain("31415926", SECRET);
  }

  @Test
  void areNotInAnEndpointsRefusalEither() {
    Throwable refusal =
        catchThrowable(
            () -> S3SinkConfig.fromMap(settings("endpoint", "ftp://user:" + SECRET + "@host")));

    assertThat(refusal).isInstanceOf(InvalidConfigException.class);
    assertNoSecret(printed(refusal));
  }

  @Test
  void areNotInWhatTheStoreRefuses() throws IOException {
    try (Sink sink = S3Sink.create(settings())) {
      Throwable refusal = catchThrowable(() -> publish(sink, run().build(), people("people")));

      assertThat(refusal).isInstanceOf(IOException.class);
      assertNoSecret(printed(refusal));
    }
  }

  @Test
  void areNotInAConnectionReport() {
    assertNoSecret(new S3SinkProvider().testConnection(settings()).toString());
  }

  @Test
  void areNotInTheManifestOrTheMetadata() throws IOException {
    try (Sink sink = bucket.sink()) {
      publish(sink, run().build(), people("people"));
    }

    for (String key : bucket.keys()) {
      assertThat(Json.utf8(bucket.bytes(key)) + bucket.head(key).metadata())
          .doesNotContain(endpoint().accessKey(), endpoint().secretKey());
    }
  }
}

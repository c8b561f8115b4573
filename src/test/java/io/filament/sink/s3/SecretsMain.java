package io.filament.sink.s3;

import io.filament.sink.ConnectionLevel;
import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.S3Clients;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.testing.RecordedEvents;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Does all that a sink can do, with secrets in every setting that takes one, against a store that
 * repeats them, and prints all that a host gets to see. Its one argument is a directory of its own.
 */
final class SecretsMain {

  static final String ACCESS_KEY_ID = "AKIDPLANTEDKEYID";
  static final String SECRET_ACCESS_KEY = "pLanTed/secret+access+key";
  static final String SESSION_TOKEN = "planted-token-of-session==";
  static final String PROXY_PASSWORD = "planted-proxy-password";

  /** The Base64 of {@code user:} and the password. */
  static final String PROXY_BASIC = "dXNlcjpwbGFudGVkLXByb3h5LXBhc3N3b3Jk";

  static final String CUSTOMER_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  static final String CUSTOMER_KEY_MD5 = "tP/LI3N87DFaSk0aoqYgzg==";
  static final String WEB_TOKEN = "planted-web-identity-token";
  static final String ROLE_KEY_ID = "ASIAPLANTEDROLEKEY";
  static final String ROLE_SECRET = "planted-secret-of-role";
  static final String ROLE_TOKEN = "planted-token-of-role";

  static final List<String> ALL =
      List.of(
          ACCESS_KEY_ID,
          SECRET_ACCESS_KEY,
          SESSION_TOKEN,
          PROXY_PASSWORD,
          PROXY_BASIC,
          CUSTOMER_KEY,
          CUSTOMER_KEY_MD5,
          WEB_TOKEN,
          ROLE_KEY_ID,
          ROLE_SECRET,
          ROLE_TOKEN);

  /** What STS gives. */
  static final String SESSION =
      ("<Response><%1$s><Credentials><AccessKeyId>%2$s</AccessKeyId>"
              + "<SecretAccessKey>%3$s</SecretAccessKey><SessionToken>%4$s</SessionToken>"
              + "<Expiration>2999-01-01T00:00:00Z</Expiration></Credentials></%1$s></Response>")
          .formatted("AssumeRoleResult", ROLE_KEY_ID, ROLE_SECRET, ROLE_TOKEN);

  static final List<String> OPERATIONS =
      List.of(
          "none",
          "HeadBucket",
          "HeadObject",
          "PutObject",
          "DeleteObject",
          "GetBucketLifecycleConfiguration",
          "CreateMultipartUpload",
          "UploadPart",
          "CompleteMultipartUpload",
          "AbortMultipartUpload",
          "ListMultipartUploads",
          "ListParts",
          "AssumeRole");

  private static final Schema TEXT = Schema.builder().nullable("text", FieldType.STRING).build();

  private final EchoStore store;
  private int runs;

  private SecretsMain(EchoStore store) {
    this.store = store;
  }

  public static void main(String[] arguments) throws IOException {
    Path token = Files.writeString(Path.of(arguments[0], "token"), WEB_TOKEN);
    System.out.println(new S3SinkProvider().spec().toJsonSchema());
    try (EchoStore store = EchoStore.start()) {
      SecretsMain main = new SecretsMain(store);
      for (String operation : OPERATIONS) {
        store.refuse(operation);
        main.attempt(keys(Map.of("auth_method", "iam_credentials")));
        main.attempt(keys(role(store.url(), "assume_role")));
        main.attempt(
            role(store.url(), "web_identity", "web_identity_token_file", token.toString()));
        Map<String, Object> proxied = keys(role(store.url(), "assume_role"));
        proxied.put("endpoint", "http://s3.invalid");
        proxied.put("proxy", store.url());
        proxied.put("proxy_username", "user");
        proxied.put("proxy_password", PROXY_PASSWORD);
        main.attempt(proxied);
      }
      System.out.println("refused " + store.refusals());
      System.out.println("manifest " + store.manifest());
    }
    try (GarblingStore store = GarblingStore.start()) {
      for (String garble : GarblingStore.GARBLES) {
        store.garble(garble);
        garbled(store.url(), token);
      }
    }
  }

  /** Makes requests of each kind, whose answers nobody understands. */
  private static void garbled(String url, Path token) throws IOException {
    Map<String, Object> settings = new HashMap<>(keys(Map.of("auth_method", "iam_credentials")));
    call(settings, url);
    call(keys(role(url, "assume_role")), url);
    call(role(url, "web_identity", "web_identity_token_file", token.toString()), url);
  }

  private static void call(Map<String, Object> settings, String url) throws IOException {
    S3SinkConfig config = S3SinkConfig.fromMap(completed(settings, url));
    Body body = new Body(() -> new ByteArrayInputStream(new byte[1]), 1, Crc32c.of(new byte[1]));
    Upload upload = new Upload("key", "id");
    try (S3Client client = S3Clients.create(config.bucket(), config.clientSettings())) {
      ObjectStore store = SdkObjectStore.of(client, config.bucket()).with(config.objectOptions());
      print(() -> System.out.println(store.head("key")));
      print(() -> System.out.println(store.uploads("key")));
      print(() -> System.out.println(store.part(upload, 1, body)));
      print(() -> store.abort(upload));
      print(
          () ->
              System.out.println(
                  store.start("key", new ObjectHeaders("text/plain", Optional.empty(), Map.of()))));
    }
  }

  private static Map<String, Object> completed(Map<String, Object> settings, String url) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bucket", "lake");
    all.put("region", "eu-west-1");
    all.putIfAbsent("endpoint", url);
    all.put("path_style", true);
    all.put("sse_customer_key", CUSTOMER_KEY);
    all.put("checksum_mode", "none");
    return all;
  }

  private static Map<String, Object> keys(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.put("access_key_id", ACCESS_KEY_ID);
    config.put("secret_access_key", SECRET_ACCESS_KEY);
    config.put("session_token", SESSION_TOKEN);
    return config;
  }

  private static Map<String, Object> role(String sts, String method, Object... more) {
    Map<String, Object> config = new HashMap<>();
    config.put("auth_method", method);
    config.put("role_arn", Configs.ROLE);
    config.put("sts_endpoint", sts);
    config.put("sts_region", "eu-west-1");
    for (int i = 0; i < more.length; i += 2) {
      config.put((String) more[i], more[i + 1]);
    }
    return config;
  }

  /** Makes one run with an object in parts and one that is put, and a connection test. */
  private void attempt(Map<String, Object> settings) {
    Map<String, Object> all = completed(settings, store.url());
    S3SinkConfig config = S3SinkConfig.fromMap(all);
    System.out.println(config + " " + config.toMap() + " " + config.hashCode());
    System.out.println(config.clientSettings() + " " + config.objectOptions());
    System.out.println(new S3SinkProvider().testConnection(all));
    System.out.println(new S3SinkProvider().testConnection(all, ConnectionLevel.WRITE));
    S3Sink sink = S3Sink.builder(config).listener(new PrintingListener()).partSizeBytes(8).build();
    Object shown = sink;
    System.out.println(shown);
    print(() -> sink.open(RunSpec.builder(nextRun()).resource("declared", TEXT).build()));
    print(() -> sink.write(batch("large", "x".repeat(40))));
    print(() -> sink.write(batch("small", "")));
    print(() -> System.out.println(sink.commit()));
    print(sink::abort);
    print(sink::close);
    // An upload that is aborted half-way.
    S3Sink aborted = S3Sink.builder(config).partSizeBytes(8).build();
    print(() -> aborted.open(RunSpec.builder(nextRun()).build()));
    print(() -> aborted.write(batch("large", "x".repeat(40))));
    print(aborted::abort);
    print(aborted::close);
    Map<String, Object> invalid = new HashMap<>(all);
    invalid.put("server_side_encryption", "aws:kms");
    print(() -> S3SinkConfig.fromMap(invalid));
  }

  private String nextRun() {
    runs++;
    return "run-" + runs;
  }

  private static RecordBatch batch(String resource, String text) {
    return RecordBatch.ofRows(resource, TEXT, List.<Object[]>of(new Object[] {text}));
  }

  @SuppressWarnings("CatchingUnchecked") // whatever is thrown is what is looked for
  private static void print(Step step) {
    try {
      step.run();
    } catch (Exception e) {
      System.out.println("THROWN " + e);
      e.printStackTrace(System.out);
    }
  }

  /** One call of the sink. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static final class PrintingListener extends RecordedEvents {

    @Override
    protected void heard(SinkEvent event) {
      System.out.println(event);
    }
  }
}

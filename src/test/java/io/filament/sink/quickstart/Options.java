package io.filament.sink.quickstart;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where to write: without a bucket into a server that the quickstart starts itself.
 *
 * @param bucket the bucket of a store of one's own
 * @param endpoint where that store is, if it isn't AWS
 * @param region its region
 * @param keys its keys; without them the SDK looks for some
 */
record Options(
    Optional<String> bucket,
    Optional<String> endpoint,
    Optional<String> region,
    Optional<Keys> keys) {

  static final String USAGE =
      """
      Without arguments: writes into an S3 server of its own, which lives in this process.
      For a store of your own, by arguments or by environment (an argument goes first):
        --bucket      QUICKSTART_BUCKET       made if it is missing
        --endpoint    QUICKSTART_ENDPOINT     http or https; without it: AWS
        --region      QUICKSTART_REGION
        --access-key  QUICKSTART_ACCESS_KEY   without keys: the AWS SDK's default chain
        --secret-key  QUICKSTART_SECRET_KEY   better in the environment, where ps doesn't show it
      Example: mvn test-compile exec:java@quickstart -Dexec.args="--bucket demo --endpoint http://127.0.0.1:9000"\
      """;

  private static final List<String> NAMES =
      List.of("bucket", "endpoint", "region", "access-key", "secret-key");

  /** An access key, never shown. */
  record Keys(String accessKeyId, String secretAccessKey) {

    @Override
    public String toString() {
      return "***";
    }
  }

  /**
   * Reads arguments and environment.
   *
   * @throws IllegalArgumentException in plain words, if they make no sense
   */
  static Options of(List<String> arguments, Map<String, String> environment) {
    Map<String, String> values = new HashMap<>();
    for (String name : NAMES) {
      String value =
          environment.get("QUICKSTART_" + name.toUpperCase(Locale.ROOT).replace('-', '_'));
      if (value != null && !value.isBlank()) {
        values.put(name, value);
      }
    }
    for (int i = 0; i < arguments.size(); i += 2) {
      String argument = arguments.get(i);
      if (!argument.startsWith("--") || !NAMES.contains(argument.substring(2))) {
        throw new IllegalArgumentException("unknown argument " + argument);
      }
      if (i + 1 == arguments.size()) {
        throw new IllegalArgumentException(argument + " needs a value");
      }
      values.put(argument.substring(2), arguments.get(i + 1));
    }
    return of(values);
  }

  private static Options of(Map<String, String> values) {
    if (!values.isEmpty() && !values.containsKey("bucket")) {
      throw new IllegalArgumentException("a store of your own needs --bucket");
    }
    if (values.containsKey("access-key") != values.containsKey("secret-key")) {
      throw new IllegalArgumentException("--access-key and --secret-key go together");
    }
    return new Options(
        Optional.ofNullable(values.get("bucket")),
        Optional.ofNullable(values.get("endpoint")),
        Optional.ofNullable(values.get("region")),
        Optional.ofNullable(values.get("access-key"))
            .map(accessKey -> new Keys(accessKey, values.get("secret-key"))));
  }
}

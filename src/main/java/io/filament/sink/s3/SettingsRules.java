package io.filament.sink.s3;

import io.filament.sink.ConfigField;
import io.filament.sink.s3.internal.store.CustomerKey;
import io.filament.sink.s3.internal.store.KeyLayout;
import io.filament.sink.s3.internal.store.PartitionTemplate;
import io.filament.sink.s3.internal.store.VisibleText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The rules that the table of the settings can't say: forms of texts, and what excludes what. */
final class SettingsRules {

  private static final Pattern ACCOUNT = Pattern.compile("[0-9]{12}");
  private static final Pattern ROLE_ARN =
      Pattern.compile("arn:aws(?:-[a-z]+)*:iam::[0-9]{12}:role/[!-~]{1,1580}");
  // STS API, AssumeRole.
  private static final Pattern EXTERNAL_ID = Pattern.compile("[\\w+=,.@:/\\\\-]{2,1224}");
  private static final Pattern SESSION_NAME = Pattern.compile("[\\w+=,.@-]{2,64}");
  private static final Pattern KMS_KEY_ID = Pattern.compile("[!-~]{1,2048}");

  private SettingsRules() {}

  /** Checks and refines what was read. */
  static void apply(SettingsReader settings) {
    settings.check(Settings.BUCKET, BucketName::check);
    settings.check(
        Settings.REGION,
        settings.has(Settings.ENDPOINT)
            ? StoreAddress::checkOtherRegion
            : StoreAddress::checkAwsRegion);
    settings.check(Settings.ENDPOINT, StoreAddress::endpoint);
    for (ConfigField secret : Settings.SECRETS) {
      settings.check(secret, SettingsRules::checkSecret);
    }
    applyToRoute(settings);
    applyToRole(settings);
    applyToObjects(settings);
    settings.refine(Settings.PREFIX, KeyLayout::prefix);
    settings.refine(Settings.PARTITION, template -> PartitionTemplate.parse(template).text());
  }

  private static void applyToRoute(SettingsReader settings) {
    settings.check(AccessSettings.PROXY, StoreAddress::proxy);
    settings.check(
        AccessSettings.PROXY_USERNAME,
        matching(name -> !name.isBlank() && printable(name), "must be a user's name"));
    String bucket = settings.text(Settings.BUCKET).orElse("");
    if (settings.isOn(AccessSettings.USE_ACCELERATE)) {
      if (bucket.startsWith("arn:")) {
        settings.problem(
            AccessSettings.USE_ACCELERATE, "is not allowed with the ARN of an access point");
      } else if (bucket.contains(".")) {
        settings.problem(
            AccessSettings.USE_ACCELERATE,
            "is not allowed with a bucket whose name has dots: " + VisibleText.quoted(bucket));
      }
    }
    if (bucket.endsWith(".mrap")) {
      for (ConfigField field : List.of(AccessSettings.USE_FIPS, AccessSettings.USE_DUALSTACK)) {
        if (settings.isOn(field)) {
          settings.problem(field, "is not allowed with a multi-Region access point");
        }
      }
    }
  }

  private static void applyToRole(SettingsReader settings) {
    settings.check(
        AccessSettings.ROLE_ARN,
        matching(ROLE_ARN, "must be a role's ARN, as arn:aws:iam::123456789012:role/name"));
    settings.check(
        AccessSettings.EXTERNAL_ID,
        matching(EXTERNAL_ID, "must have 2 to 1224 letters, digits and _ + = , . @ : / \\ -"));
    settings.check(
        AccessSettings.ROLE_SESSION_NAME,
        matching(SESSION_NAME, "must have 2 to 64 letters, digits and _ + = , . @ -"));
    settings.check(AccessSettings.WEB_IDENTITY_TOKEN_FILE, SettingsRules::checkFile);
    settings.check(AccessSettings.STS_ENDPOINT, StoreAddress::endpoint);
    settings.check(
        AccessSettings.STS_REGION,
        settings.has(AccessSettings.STS_ENDPOINT)
            ? StoreAddress::checkOtherRegion
            : StoreAddress::checkAwsRegion);
  }

  private static void applyToObjects(SettingsReader settings) {
    settings.check(
        ObjectSettings.EXPECTED_BUCKET_OWNER,
        matching(ACCOUNT, "must be the 12 digits of an AWS account"));
    settings.dropBlank(ObjectSettings.KMS_KEY_ID);
    settings.check(
        ObjectSettings.KMS_KEY_ID,
        matching(KMS_KEY_ID, "must be the id, ARN or alias of a KMS key, without blanks"));
    settings.check(ObjectSettings.SSE_CUSTOMER_KEY, CustomerKey::of);
    settings.check(ObjectSettings.OBJECT_TAGS, NameValues::tags);
    settings.check(ObjectSettings.METADATA, NameValues::metadata);
  }

  private static Consumer<String> matching(Pattern form, String rule) {
    return matching(text -> form.matcher(text).matches(), rule);
  }

  private static Consumer<String> matching(Predicate<String> form, String rule) {
    return text -> {
      if (!form.test(text)) {
        throw new IllegalArgumentException(rule + ": " + VisibleText.quoted(text));
      }
    };
  }

  private static boolean printable(String text) {
    return text.chars().noneMatch(Character::isISOControl);
  }

  private static void checkFile(String file) {
    try {
      if (!file.isBlank() && Path.of(file).getFileName() != null) {
        return;
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("must be a file's name: " + VisibleText.quoted(file), e);
    }
    throw new IllegalArgumentException("must be a file's name: " + VisibleText.quoted(file));
  }

  /** A file's last line feed is what is most often copied along with a key. */
  private static void checkSecret(String secret) {
    if (secret.isBlank()) {
      throw new IllegalArgumentException("must not be blank");
    }
    if (!secret.equals(secret.strip())) {
      throw new IllegalArgumentException("must not begin or end with white space");
    }
    if (secret.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("must not hold control characters");
    }
  }
}

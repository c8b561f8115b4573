package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.VisibleText;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The names of general purpose buckets (S3 User Guide, general purpose bucket naming rules) and the
 * ARNs of access points that stand for one.
 */
final class BucketName {

  private static final int MIN_LENGTH = 3;
  private static final int MAX_LENGTH = 63;
  private static final Pattern CHARACTERS = Pattern.compile("[a-z0-9.-]*");
  private static final Pattern IP_ADDRESS = Pattern.compile("([0-9]{1,3}\\.){3}[0-9]{1,3}");
  private static final List<String> RESERVED_PREFIXES = List.of("xn--", "sthree-", "amzn-s3-demo-");
  private static final List<String> RESERVED_SUFFIXES =
      List.of("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3");

  private static final String ACCOUNT = ":[0-9]{12}:";
  private static final String PARTITION = "arn:aws(?:-[a-z]+)*:";
  private static final String ACCESS_POINT = "accesspoint[/:][a-z0-9](?:[a-z0-9-]{1,48})[a-z0-9]";
  private static final String REGION = "[a-z]+(?:-[a-z0-9]+)+";
  private static final List<Pattern> ARNS =
      List.of(
          Pattern.compile(PARTITION + "s3:" + REGION + ACCOUNT + ACCESS_POINT),
          // A multi-Region access point has no region, and an alias for a name.
          Pattern.compile(PARTITION + "s3:" + ACCOUNT + "accesspoint[/:][a-z0-9]+\\.mrap"),
          Pattern.compile(
              PARTITION
                  + "s3-outposts:"
                  + REGION
                  + ACCOUNT
                  + "outpost[/:]op-[a-z0-9]+[/:]"
                  + ACCESS_POINT));

  private BucketName() {}

  /**
   * Checks a configured bucket.
   *
   * @throws IllegalArgumentException if it is neither a bucket's name nor an access point's ARN
   */
  static void check(String bucket) {
    if (bucket.startsWith("arn:")) {
      checkArn(bucket);
    } else {
      checkName(bucket);
    }
  }

  private static void checkArn(String arn) {
    if (ARNS.stream().noneMatch(pattern -> pattern.matcher(arn).matches())) {
      throw new IllegalArgumentException(
          "must be the ARN of an access point, as"
              + " arn:aws:s3:<region>:<account>:accesspoint/<name>,"
              + " arn:aws:s3::<account>:accesspoint/<alias>.mrap or"
              + " arn:aws:s3-outposts:<region>:<account>:outpost/<id>/accesspoint/<name>, not "
              + VisibleText.quoted(arn));
    }
  }

  private static void checkName(String name) {
    if (name.length() < MIN_LENGTH || name.length() > MAX_LENGTH) {
      throw refused(
          name,
          "must have " + MIN_LENGTH + " to " + MAX_LENGTH + " characters, not " + name.length());
    }
    if (!CHARACTERS.matcher(name).matches()) {
      throw refused(name, "must have only lower-case letters, digits, \".\" and \"-\"");
    }
    if (isPunctuation(name.charAt(0)) || isPunctuation(name.charAt(name.length() - 1))) {
      throw refused(name, "must begin and end with a letter or digit");
    }
    if (name.contains("..")) {
      throw refused(name, "must not have two dots side by side");
    }
    if (IP_ADDRESS.matcher(name).matches()) {
      throw refused(name, "must not look like an IP address");
    }
    for (String prefix : RESERVED_PREFIXES) {
      if (name.startsWith(prefix)) {
        throw refused(name, "must not begin with \"" + prefix + "\", which S3 keeps for itself");
      }
    }
    for (String suffix : RESERVED_SUFFIXES) {
      if (name.endsWith(suffix)) {
        throw refused(
            name,
            "must not end with \""
                + suffix
                + "\", which is no general purpose bucket's (for an access point, give its ARN)");
      }
    }
  }

  private static boolean isPunctuation(char c) {
    return c == '.' || c == '-';
  }

  private static IllegalArgumentException refused(String name, String rule) {
    return new IllegalArgumentException(rule + ": " + VisibleText.quoted(name));
  }
}

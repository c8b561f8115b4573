package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.VisibleText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads {@code object_tags} and {@code metadata}, as {@code team=data,stage=raw}. */
final class NameValues {

  // S3 User Guide, categorizing your objects using tags.
  private static final int MOST_TAGS = 10;
  private static final int LONGEST_TAG_NAME = 128;
  private static final int LONGEST_TAG_VALUE = 256;
  private static final Pattern TAG_TEXT = Pattern.compile("[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*");
  private static final String RESERVED_TAGS = "aws:";

  /** What HTTP calls a token (RFC 9110, 5.6.2). */
  private static final Pattern METADATA_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private static final Pattern METADATA_VALUE = Pattern.compile("[!-~]([ -~]*[!-~])?");
  private static final String OWN_METADATA = "filament-";

  /**
   * S3 takes 2 KiB of user metadata (S3 User Guide, object metadata); the sink's own marks take up
   * to 1,100 bytes of it.
   */
  static final int MOST_METADATA_BYTES = 2048 - 1100;

  private NameValues() {}

  /**
   * Returns the tags of a text.
   *
   * @throws IllegalArgumentException if S3 would not take them
   */
  static Map<String, String> tags(String text) {
    Map<String, String> tags = pairs(text);
    if (tags.size() > MOST_TAGS) {
      throw new IllegalArgumentException(
          "must be at most " + MOST_TAGS + " tags, not " + tags.size());
    }
    tags.forEach(NameValues::checkTag);
    return tags;
  }

  /**
   * Returns the user metadata of a text, with names in lower case, as S3 stores them.
   *
   * @throws IllegalArgumentException if it can't be sent or is too much
   */
  static Map<String, String> metadata(String text) {
    Map<String, String> metadata = new LinkedHashMap<>();
    pairs(text)
        .forEach(
            (name, value) -> {
              checkMetadata(name, value);
              if (metadata.put(name.toLowerCase(Locale.ROOT), value) != null) {
                throw new IllegalArgumentException("has the name " + quoted(name) + " twice");
              }
            });
    int bytes =
        metadata.entrySet().stream()
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum();
    if (bytes > MOST_METADATA_BYTES) {
      throw new IllegalArgumentException(
          "must have at most "
              + MOST_METADATA_BYTES
              + " bytes of names and values, not "
              + bytes
              + " (S3 takes 2 KiB with the sink's own)");
    }
    return metadata;
  }

  private static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals).strip();
      if (name.isEmpty()) {
        throw new IllegalArgumentException(
            "must be name=value pairs with commas between them, not " + quoted(text));
      }
      if (pairs.put(name, pair.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException("has the name " + quoted(name) + " twice");
      }
    }
    return pairs;
  }

  private static void checkTag(String name, String value) {
    if (name.codePointCount(0, name.length()) > LONGEST_TAG_NAME) {
      throw new IllegalArgumentException(
          "must have names of at most " + LONGEST_TAG_NAME + " characters: " + quoted(name));
    }
    if (value.codePointCount(0, value.length()) > LONGEST_TAG_VALUE) {
      throw new IllegalArgumentException(
          "must have values of at most " + LONGEST_TAG_VALUE + " characters: " + quoted(name));
    }
    if (name.toLowerCase(Locale.ROOT).startsWith(RESERVED_TAGS)) {
      throw new IllegalArgumentException(
          "must not have names that begin with \"aws:\", which AWS keeps for itself: "
              + quoted(name));
    }
    if (!TAG_TEXT.matcher(name).matches() || !TAG_TEXT.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "must have only letters, digits, blanks and + - = . _ : / @ in tags: "
              + quoted(name + "=" + value));
    }
  }

  private static void checkMetadata(String name, String value) {
    if (!METADATA_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "must have names that HTTP headers may have: " + quoted(name));
    }
    if (name.toLowerCase(Locale.ROOT).startsWith(OWN_METADATA)) {
      throw new IllegalArgumentException(
          "must not have names that begin with \"filament-\", which are the sink's own: "
              + quoted(name));
    }
    if (!METADATA_VALUE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "must have values of printable ASCII, at least one character: "
              + quoted(name + "=" + value));
    }
  }

  private static String quoted(String text) {
    return VisibleText.quoted(text);
  }
}

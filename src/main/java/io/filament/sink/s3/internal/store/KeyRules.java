package io.filament.sink.s3.internal.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.PrimitiveIterator;

/** What a key may hold. Every refusal is an {@link IllegalArgumentException}. */
final class KeyRules {

  /** The longest key of S3, in bytes of UTF-8 (S3 User Guide, naming objects). */
  static final int MAX_KEY_BYTES = 1024;

  // Markup that stores escape differently in the XML of their answers.
  private static final String NOT_IN_NAMES = "\"<>";

  private KeyRules() {}

  /** Returns the text without the slashes at its ends. */
  static String withoutOuterSlashes(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && text.charAt(begin) == '/') {
      begin++;
    }
    while (begin < end && text.charAt(end - 1) == '/') {
      end--;
    }
    return text.substring(begin, end);
  }

  /**
   * Checks a relative path, which may be empty as a whole.
   *
   * @param what names the path in messages
   */
  static void checkPath(String what, String path) {
    checkCharacters(what, path);
    if (path.isEmpty()) {
      return;
    }
    if (path.startsWith("/")) {
      throw new IllegalArgumentException(
          what + " must be relative, but begins with \"/\": " + VisibleText.quoted(path));
    }
    List<String> segments = List.of(path.split("/", -1));
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      // Clients and proxies fold such segments away, and then signature or key no longer fit.
      if (segment.isEmpty() || isDots(segment)) {
        throw new IllegalArgumentException(
            what
                + " must not have an empty, \".\" or \"..\" segment, but segment "
                + (i + 1)
                + " of "
                + VisibleText.quoted(path)
                + " is "
                + (segment.isEmpty() ? "empty" : VisibleText.quoted(segment)));
      }
    }
  }

  /**
   * Checks a run id or a folder.
   *
   * @param what names it in messages
   */
  static void checkName(String what, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
    checkCharacters(what, name);
    if (isDots(name)) {
      throw new IllegalArgumentException(what + " must not be " + VisibleText.quoted(name));
    }
    if (name.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          what + " must not hold \"/\": " + VisibleText.quoted(name));
    }
    for (int i = 0; i < name.length(); i++) {
      if (NOT_IN_NAMES.indexOf(name.charAt(i)) >= 0) {
        throw new IllegalArgumentException(
            what + " must not hold " + codePoint(name.charAt(i)) + ": " + VisibleText.quoted(name));
      }
    }
  }

  /** Checks the length of a whole key. */
  static void checkLength(String what, String key) {
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_KEY_BYTES) {
      throw new IllegalArgumentException(
          what
              + " has "
              + bytes
              + " bytes in UTF-8, and S3 takes at most "
              + MAX_KEY_BYTES
              + ": "
              + VisibleText.quoted(key));
    }
  }

  /** Checks a text that is in no key, but in the manifest, whose UTF-8 must be able to hold it. */
  static void checkUnicode(String what, String text) {
    boolean halfPair = text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
    if (halfPair) {
      throw new IllegalArgumentException(
          what + " must not hold half a surrogate pair, which has no UTF-8 form");
    }
  }

  private static void checkCharacters(String what, String text) {
    PrimitiveIterator.OfInt codePoints = text.codePoints().iterator();
    while (codePoints.hasNext()) {
      int codePoint = codePoints.nextInt();
      if (VisibleText.isInvisible(codePoint)) {
        throw new IllegalArgumentException(
            what
                + " must not hold "
                + (Character.isISOControl(codePoint)
                    ? "the control character "
                    : "half a surrogate pair, which has no UTF-8 form, ")
                + codePoint(codePoint)
                + ": "
                + VisibleText.quoted(text));
      }
    }
  }

  private static boolean isDots(String segment) {
    return segment.equals(".") || segment.equals("..");
  }

  private static String codePoint(int codePoint) {
    String name = "U+%04X".formatted(codePoint);
    return VisibleText.isInvisible(codePoint)
        ? name
        : name + " (" + Character.toString(codePoint) + ")";
  }
}

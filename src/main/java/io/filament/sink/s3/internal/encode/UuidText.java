package io.filament.sink.s3.internal.encode;

/** The text of a UUID (RFC 9562): 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between. */
final class UuidText {

  private static final int LENGTH = 36;

  private UuidText() {}

  /** Refuses what is no UUID, and makes the digits lower case. */
  static void canonicalize(byte[] bytes, int from, int to) {
    boolean valid = to - from == LENGTH;
    for (int i = 0; valid && i < LENGTH; i++) {
      byte b = bytes[from + i];
      if (i == 8 || i == 13 || i == 18 || i == 23) {
        valid = b == '-';
      } else if (b >= 'A' && b <= 'F') {
        bytes[from + i] = (byte) (b + ('a' - 'A'));
      } else {
        valid = (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f');
      }
    }
    if (!valid) {
      throw new UnfitValueException(
          Excerpt.ofUtf8(bytes, from, to) + " is no UUID of " + LENGTH + " characters");
    }
  }
}

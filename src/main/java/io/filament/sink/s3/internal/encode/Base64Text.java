package io.filament.sink.s3.internal.encode;

import java.nio.charset.StandardCharsets;

/** Base64 (RFC 4648) with padding, from a range of an array: the JDK's takes only whole ones. */
final class Base64Text {

  /** A text of whole groups of so many bytes has no padding. */
  static final int GROUP_BYTES = 3;

  private static final int GROUP_CHARS = 4;
  private static final byte PADDING = '=';
  private static final byte[] CHARS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
          .getBytes(StandardCharsets.US_ASCII);

  private Base64Text() {}

  static void put(byte[] source, int start, int count, TextBuffer to) {
    long chars = (count + 2L) / GROUP_BYTES * GROUP_CHARS;
    byte[] target = to.ensure(Math.toIntExact(chars));
    int at = to.length();
    int from = start;
    int end = start + count;
    for (; end - from >= GROUP_BYTES; from += GROUP_BYTES) {
      int bits =
          ((source[from] & 0xFF) << 16)
              | ((source[from + 1] & 0xFF) << 8)
              | (source[from + 2] & 0xFF);
      target[at++] = CHARS[bits >> 18];
      target[at++] = CHARS[(bits >> 12) & 0x3F];
      target[at++] = CHARS[(bits >> 6) & 0x3F];
      target[at++] = CHARS[bits & 0x3F];
    }
    if (from < end) {
      int bits = (source[from] & 0xFF) << 16;
      boolean two = end - from == 2;
      if (two) {
        bits |= (source[from + 1] & 0xFF) << 8;
      }
      target[at++] = CHARS[bits >> 18];
      target[at++] = CHARS[(bits >> 12) & 0x3F];
      target[at++] = two ? CHARS[(bits >> 6) & 0x3F] : PADDING;
      target[at++] = PADDING;
    }
    to.length(at);
  }
}

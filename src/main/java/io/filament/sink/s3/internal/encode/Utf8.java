package io.filament.sink.s3.internal.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** UTF-8 both ways: from a host's text, and as a check of what a host says is UTF-8. */
final class Utf8 {

  /** Bounds what is reserved ahead of a text: three bytes a character. */
  private static final int CHUNK_CHARS = 4096;

  /** The highest bits of eight bytes, none of which is set where all are ASCII. */
  private static final long NOT_ASCII = 0x8080808080808080L;

  private static final int BLOCK = 4;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Utf8() {}

  /** Puts a text; each surrogate without its partner becomes U+FFFD. */
  static void put(CharSequence text, Vector.Bytes to) {
    int length = text.length();
    int next = text instanceof String string ? putAscii(string, to) : 0;
    while (next < length) {
      next = putChunk(text, next, Math.min(length, next + CHUNK_CHARS), to);
    }
  }

  /**
   * Puts the characters before the first that is not ASCII, which is mostly all of them, and
   * returns their number.
   */
  private static int putAscii(String text, Vector.Bytes to) {
    int length = text.length();
    byte[] bytes = to.ensure(length);
    int start = to.position();
    int i = 0;
    for (; i <= length - BLOCK; i += BLOCK) { // one test for four characters
      char a = text.charAt(i);
      char b = text.charAt(i + 1);
      char c = text.charAt(i + 2);
      char d = text.charAt(i + 3);
      if ((a | b | c | d) >= 0x80) {
        break;
      }
      bytes[start + i] = (byte) a;
      bytes[start + i + 1] = (byte) b;
      bytes[start + i + 2] = (byte) c;
      bytes[start + i + 3] = (byte) d;
    }
    for (; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        break;
      }
      bytes[start + i] = (byte) c;
    }
    to.position(start + i);
    return i;
  }

  /** Puts the characters up to {@code end}, or one more if a pair begins before it. */
  private static int putChunk(CharSequence text, int start, int end, Vector.Bytes to) {
    byte[] bytes = to.ensure(3 * (end - start) + 1);
    int at = to.position();
    int i = start;
    while (i < end) {
      char c = text.charAt(i++);
      if (c < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xC0 | (c >> 6));
        bytes[at++] = continuation(c, 0);
      } else if (Character.isHighSurrogate(c) && isLowSurrogate(text, i)) {
        int point = Character.toCodePoint(c, text.charAt(i++));
        bytes[at++] = (byte) (0xF0 | (point >> 18));
        bytes[at++] = continuation(point, 12);
        bytes[at++] = continuation(point, 6);
        bytes[at++] = continuation(point, 0);
      } else {
        char shown = Character.isSurrogate(c) ? '\uFFFD' : c;
        bytes[at++] = (byte) (0xE0 | (shown >> 12));
        bytes[at++] = continuation(shown, 6);
        bytes[at++] = continuation(shown, 0);
      }
    }
    to.position(at);
    return i;
  }

  /** Returns the byte of six bits of a character. */
  private static byte continuation(int point, int shift) {
    return (byte) (0x80 | ((point >> shift) & 0x3F));
  }

  private static boolean isLowSurrogate(CharSequence text, int index) {
    return index < text.length() && Character.isLowSurrogate(text.charAt(index));
  }

  /**
   * Refuses bytes that are not well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
   * nothing above U+10FFFF).
   */
  static void check(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      if (to - i >= Long.BYTES && ((long) LONG.get(bytes, i) & NOT_ASCII) == 0) {
        i += Long.BYTES;
        continue;
      }
      int length = bytes[i] >= 0 ? 1 : sequenceLength(bytes, i, to);
      if (length == 0) {
        throw new UnfitValueException(
            Excerpt.ofUtf8(bytes, from, to) + " is not UTF-8 at byte " + (i - from));
      }
      i += length;
    }
  }

  /** Returns the bytes of the character that begins here, or 0 if none does. */
  private static int sequenceLength(byte[] bytes, int at, int to) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0xE0) {
      return lead >= 0xC2 && to - at >= 2 && isContinuation(bytes[at + 1]) ? 2 : 0;
    }
    if (lead < 0xF0) {
      return to - at >= 3
              && isSecond(bytes[at + 1], lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF)
              && isContinuation(bytes[at + 2])
          ? 3
          : 0;
    }
    return lead <= 0xF4
            && to - at >= 4
            && isSecond(bytes[at + 1], lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF)
            && isContinuation(bytes[at + 2])
            && isContinuation(bytes[at + 3])
        ? 4
        : 0;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }

  /** Holds the bounds that rule out overlong forms, surrogates and what is above U+10FFFF. */
  private static boolean isSecond(byte b, int min, int max) {
    return (b & 0xFF) >= min && (b & 0xFF) <= max;
  }
}

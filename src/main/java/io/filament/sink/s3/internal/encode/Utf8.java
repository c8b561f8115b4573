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
    char[] chars = to.chars(CHUNK_CHARS + 1);
    int known = Math.min(text.length(), end + 1) - start;
    copy(text, start, known, chars);
    int at = to.position();
    int i = 0;
    while (i < end - start) {
      char c = chars[i++];
      if (c < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xC0 | (c >> 6));
        bytes[at++] = continuation(c, 0);
      } else if (!Character.isSurrogate(c)) {
        at = putThree(c, bytes, at);
      } else if (i < known && Character.isSurrogatePair(c, chars[i])) {
        int point = Character.toCodePoint(c, chars[i++]);
        bytes[at++] = (byte) (0xF0 | (point >> 18));
        bytes[at++] = continuation(point, 12);
        bytes[at++] = continuation(point, 6);
        bytes[at++] = continuation(point, 0);
      } else {
        at = putThree('\uFFFD', bytes, at);
      }
    }
    to.position(at);
    return start + i;
  }

  /** Copies characters to an array, where reading one after the other is several times faster. */
  private static void copy(CharSequence text, int start, int count, char[] to) {
    if (text instanceof String string) {
      string.getChars(start, start + count, to, 0);
      return;
    }
    for (int i = 0; i < count; i++) {
      to[i] = text.charAt(start + i);
    }
  }

  private static int putThree(char c, byte[] bytes, int at) {
    bytes[at] = (byte) (0xE0 | (c >> 12));
    bytes[at + 1] = continuation(c, 6);
    bytes[at + 2] = continuation(c, 0);
    return at + 3;
  }

  /** Returns the byte of six bits of a character. */
  private static byte continuation(int point, int shift) {
    return (byte) (0x80 | ((point >> shift) & 0x3F));
  }

  /**
   * Refuses bytes that are not well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates,
   * nothing above U+10FFFF).
   */
  static void check(byte[] bytes, int from, int to) {
    int end = wellFormedEnd(bytes, from, to);
    if (end < to) {
      throw new UnfitValueException(
          Excerpt.ofUtf8(bytes, from, to) + " is not UTF-8 at byte " + (end - from));
    }
  }

  /**
   * Refuses the first of the values from {@code first} on that is not well-formed UTF-8, and
   * removes it and those after it.
   */
  static void check(Vector.Bytes values, int first) {
    byte[] bytes = values.array();
    int from = values.start(first);
    int to = values.start(values.size());
    int ascii = asciiEnd(bytes, from, to);
    if (ascii == to) {
      return;
    }
    // Values are short: checked one by one, they take several times as long as all together.
    if (wellFormedEnd(bytes, ascii, to) == to && !isAnyCut(values, first)) {
      return;
    }
    for (int i = first; i < values.size(); i++) {
      try {
        check(bytes, values.start(i), values.start(i + 1));
      } catch (UnfitValueException e) {
        values.truncate(i);
        throw e;
      }
    }
  }

  /** Returns whether a value begins within a character, which the value before it has begun. */
  private static boolean isAnyCut(Vector.Bytes values, int first) {
    byte[] bytes = values.array();
    int to = values.start(values.size());
    for (int i = first + 1; i < values.size(); i++) {
      int start = values.start(i);
      if (start < to && isContinuation(bytes[start])) {
        return true;
      }
    }
    return false;
  }

  /** Returns where the first character begins that is not well-formed, or {@code to}. */
  private static int wellFormedEnd(byte[] bytes, int from, int to) {
    int i = asciiEnd(bytes, from, to);
    while (i < to) {
      int length = sequenceLength(bytes, i, to);
      if (length == 0) {
        return i;
      }
      i += length;
      if (i < to && bytes[i] >= 0) {
        i = asciiEnd(bytes, i, to);
      }
    }
    return to;
  }

  /** Returns where the first byte is that is not ASCII, or {@code to}. */
  private static int asciiEnd(byte[] bytes, int from, int to) {
    int i = from;
    while (to - i >= BLOCK * Long.BYTES && isAsciiBlock(bytes, i)) {
      i += BLOCK * Long.BYTES;
    }
    for (; to - i >= Long.BYTES; i += Long.BYTES) {
      long high = (long) LONG.get(bytes, i) & NOT_ASCII;
      if (high != 0) {
        return i + Long.numberOfTrailingZeros(high) / Byte.SIZE;
      }
    }
    while (i < to && bytes[i] >= 0) {
      i++;
    }
    return i;
  }

  private static boolean isAsciiBlock(byte[] bytes, int at) {
    long all =
        (long) LONG.get(bytes, at)
            | (long) LONG.get(bytes, at + Long.BYTES)
            | (long) LONG.get(bytes, at + 2 * Long.BYTES)
            | (long) LONG.get(bytes, at + 3 * Long.BYTES);
    return (all & NOT_ASCII) == 0;
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

package io.filament.sink.s3.internal.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Escapes what may not stand in a string of JSON (RFC 8259): U+0000 to U+001F, quotes and
 * backslashes. Everything else stays as it is.
 */
final class JsonStrings {

  /** What a byte becomes at most: a backslash, u and four digits. */
  static final int MAX_ESCAPE_BYTES = 6;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long SPACES = 0x2020202020202020L;
  private static final long QUOTES = 0x2222222222222222L;
  private static final long BACKSLASHES = 0x5C5C5C5C5C5C5C5CL;

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  private JsonStrings() {}

  /** Puts UTF-8 with its escapes. */
  static void put(byte[] source, int start, int count, TextBuffer to) {
    to.length(put(source, start, count, room(count, to), to.length()));
  }

  /** Puts UTF-8 with its escapes, in quotes. */
  static void putQuoted(byte[] source, int start, int count, TextBuffer to) {
    byte[] target = room(count, to);
    int at = to.length();
    target[at] = '"';
    at = put(source, start, count, target, at + 1);
    target[at] = '"';
    to.length(at + 1);
  }

  /** A word is written whole, also where less of it counts; and there may be quotes. */
  private static byte[] room(int count, TextBuffer to) {
    return to.ensure(MAX_ESCAPE_BYTES * count + Long.BYTES + 2);
  }

  /** Writes eight bytes at a time, and returns where they end. */
  private static int put(byte[] source, int start, int count, byte[] target, int position) {
    int at = position;
    int from = start;
    int end = start + count;
    while (end - from >= Long.BYTES) {
      long word = (long) LONG.get(source, from);
      LONG.set(target, at, word);
      long found = escaped(word);
      if (found == 0) {
        at += Long.BYTES;
        from += Long.BYTES;
      } else {
        int before = Long.numberOfTrailingZeros(found) / Byte.SIZE;
        at = putEscape(source[from + before], target, at + before);
        from += before + 1;
      }
    }
    return putRest(source, from, end, target, at);
  }

  /** Puts fewer bytes than a word has. */
  private static int putRest(byte[] source, int start, int end, byte[] target, int position) {
    int at = position;
    int from = start;
    if (from <= source.length - Long.BYTES) { // what follows is read too, and doesn't count
      long word = (long) LONG.get(source, from);
      LONG.set(target, at, word);
      long counted = (1L << (Byte.SIZE * (end - from))) - 1;
      if ((escaped(word) & counted) == 0) {
        return at + (end - from);
      }
    }
    for (; from < end; from++) {
      byte b = source[from];
      if (b >= 0 && (b < ' ' || b == '"' || b == '\\')) {
        at = putEscape(b, target, at);
      } else {
        target[at++] = b;
      }
    }
    return at;
  }

  /**
   * Returns a word whose lowest set bit is the highest of the first byte to escape, or zero if
   * there is none. Borrows make bits behind that one wrong, never before it.
   */
  private static long escaped(long word) {
    long quotes = word ^ QUOTES;
    long backslashes = word ^ BACKSLASHES;
    long controls = (word - SPACES) & ~word;
    return (controls | ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes))
        & HIGH_BITS;
  }

  private static int putEscape(byte b, byte[] target, int start) {
    int at = start;
    target[at++] = '\\';
    switch (b) {
      case '"', '\\' -> target[at++] = b;
      case '\b' -> target[at++] = 'b';
      case '\t' -> target[at++] = 't';
      case '\n' -> target[at++] = 'n';
      case '\f' -> target[at++] = 'f';
      case '\r' -> target[at++] = 'r';
      default -> {
        target[at++] = 'u';
        target[at++] = '0';
        target[at++] = '0';
        target[at++] = HEX[b >> 4];
        target[at++] = HEX[b & 0xF];
      }
    }
    return at;
  }
}

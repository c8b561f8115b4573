package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds keys of a map that are different objects and have the same form, such as the texts of one
 * number: readers keep one of their values, and nobody says which.
 */
final class KeySet {

  /** Up to here, comparing each with each makes no garbage and takes no longer. */
  private static final int MAX_PAIRWISE = 8;

  private KeySet() {}

  /** Refuses two equal keys from {@code start} to the vector's end. */
  static void checkUnique(FieldType type, Vector keys, int start) {
    int duplicate =
        keys.size() - start <= MAX_PAIRWISE
            ? pairwiseDuplicate(keys, start)
            : hashedDuplicate(keys, start);
    if (duplicate >= 0) {
      throw new UnfitValueException(
          "two keys of the map have the form " + shown(type, keys, duplicate));
    }
  }

  private static int pairwiseDuplicate(Vector keys, int start) {
    for (int i = start + 1; i < keys.size(); i++) {
      for (int j = start; j < i; j++) {
        if (isEqual(keys, i, j)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static int hashedDuplicate(Vector keys, int start) {
    Set<Object> seen = new HashSet<>();
    for (int i = start; i < keys.size(); i++) {
      if (!seen.add(hashed(keys, i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isEqual(Vector keys, int i, int j) {
    if (keys instanceof Vector.Longs longs) {
      return longs.get(i) == longs.get(j);
    }
    Vector.Bytes bytes = (Vector.Bytes) keys;
    int a = bytes.start(i);
    int b = bytes.start(j);
    byte[] array = bytes.array();
    return Arrays.equals(array, a, a + bytes.length(i), array, b, b + bytes.length(j));
  }

  private static Object hashed(Vector keys, int index) {
    if (keys instanceof Vector.Longs longs) {
      return longs.get(index);
    }
    Vector.Bytes bytes = (Vector.Bytes) keys;
    return ByteBuffer.wrap(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private static String shown(FieldType type, Vector keys, int index) {
    if (type == FieldType.STRING) {
      Vector.Bytes bytes = (Vector.Bytes) keys;
      int start = bytes.start(index);
      return Excerpt.ofUtf8(bytes.array(), start, start + bytes.length(index));
    }
    TextBuffer text = new TextBuffer();
    ScalarText.of(type).put(keys, index, text);
    return Excerpt.shortened(new String(text.array(), 0, text.length(), StandardCharsets.US_ASCII));
  }
}

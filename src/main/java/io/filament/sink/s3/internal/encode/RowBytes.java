package io.filament.sink.s3.internal.encode;

/** Tells how many bytes rows take in a slice's vectors. A row takes the same in every slice. */
final class RowBytes {

  private RowBytes() {}

  /** Returns how many bytes the rows from {@code from} to before {@code to} take. */
  static long between(Slice slice, int from, int to) {
    long bytes = 0;
    for (Vector vector : slice.vectors()) {
      bytes += before(vector, to) - before(vector, from);
    }
    return bytes;
  }

  /**
   * Returns the first row such that the rows from {@code from} to before it take at least {@code
   * bytes}, or the number of rows if all of them take less.
   */
  static int reach(Slice slice, int from, long bytes) {
    int low = from + 1;
    int high = slice.rows();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (between(slice, from, middle) >= bytes) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return high;
  }

  /** Returns how many bytes the values before {@code index} take. */
  static long before(Vector vector, int index) {
    if (vector instanceof Vector.Longs) {
      return 8L * index;
    }
    if (vector instanceof Vector.Bytes bytes) {
      return bytes.start(index) + 4L * index;
    }
    if (vector instanceof Vector.Lists lists) {
      return before(lists.elements(), lists.start(index)) + 4L * index;
    }
    if (vector instanceof Vector.Maps maps) {
      int entries = maps.start(index);
      return before(maps.keys(), entries) + before(maps.values(), entries) + 4L * index;
    }
    long bytes = 0;
    for (Vector field : ((Vector.Structs) vector).fields()) {
      bytes += before(field, index);
    }
    return bytes;
  }
}

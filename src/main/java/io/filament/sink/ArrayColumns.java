package io.filament.sink;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Columns over arrays. */
abstract class ArrayColumns {

  private final boolean @Nullable [] nulls;

  private ArrayColumns(boolean @Nullable [] nulls) {
    this.nulls = nulls;
  }

  public boolean isNull(int row) {
    return nulls != null && nulls[row];
  }

  /** Returns how many rows it has, which are those that each of its arrays has. */
  final int length() {
    return nulls == null ? valueCount() : Math.min(nulls.length, valueCount());
  }

  abstract int valueCount();

  static final class OfLongs extends ArrayColumns implements Column.Longs {

    private final long[] values;

    OfLongs(long[] values, boolean @Nullable [] nulls) {
      super(nulls);
      this.values = Objects.requireNonNull(values, "values");
    }

    @Override
    public long longAt(int row) {
      return values[row];
    }

    @Override
    int valueCount() {
      return values.length;
    }
  }

  static final class OfDoubles extends ArrayColumns implements Column.Doubles {

    private final double[] values;

    OfDoubles(double[] values, boolean @Nullable [] nulls) {
      super(nulls);
      this.values = Objects.requireNonNull(values, "values");
    }

    @Override
    public double doubleAt(int row) {
      return values[row];
    }

    @Override
    int valueCount() {
      return values.length;
    }
  }

  static final class OfBytes extends ArrayColumns implements Column.PackedBytes {

    private final byte[] bytes;
    private final int[] offsets;

    OfBytes(byte[] bytes, int[] offsets, boolean @Nullable [] nulls) {
      super(nulls);
      this.bytes = Objects.requireNonNull(bytes, "bytes");
      this.offsets = Objects.requireNonNull(offsets, "offsets");
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }

    @Override
    public int[] offsets() {
      return offsets;
    }

    @Override
    int valueCount() {
      return Math.max(0, offsets.length - 1);
    }
  }

  static final class OfObjects extends ArrayColumns implements Column.Boxed {

    private final @Nullable Object[] values;

    OfObjects(@Nullable Object[] values) {
      super(null);
      this.values = Objects.requireNonNull(values, "values");
    }

    @Override
    public boolean isNull(int row) {
      return values[row] == null;
    }

    @Override
    public @Nullable Object objectAt(int row) {
      return values[row];
    }

    @Override
    int valueCount() {
      return values.length;
    }
  }
}

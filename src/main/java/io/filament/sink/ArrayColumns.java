package io.filament.sink;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Columns over primitive arrays. */
abstract class ArrayColumns {

  private final boolean @Nullable [] nulls;

  private ArrayColumns(boolean @Nullable [] nulls) {
    this.nulls = nulls;
  }

  public final boolean isNull(int row) {
    return nulls != null && nulls[row];
  }

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
  }
}

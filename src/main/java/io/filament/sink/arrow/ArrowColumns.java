package io.filament.sink.arrow;

import io.filament.sink.Column;
import java.util.function.IntToLongFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;

/**
 * Vectors as columns of the cheapest kind that holds their values.
 *
 * <p>A count of nanoseconds, say, is read as a count of microseconds only if every value of the
 * vector is a whole one. Otherwise the column is one of objects, so that the value is refused in
 * its row with the words that every other door has.
 */
final class ArrowColumns {

  /** Longer values go to the sink in several pieces. */
  static final int SCRATCH_BYTES = 4096;

  private static final long NANOS_A_MICRO = 1_000;
  private static final long MICROS_A_MILLI = 1_000;
  private static final long MICROS_A_SECOND = 1_000_000;
  private static final long MILLIS_A_DAY = 86_400_000;

  /** The digits that every long holds. */
  private static final int LONG_DIGITS = 18;

  private ArrowColumns() {}

  /**
   * @param rows the values that a batch reads
   * @param scratch what the columns of one batch, which one thread reads, may share
   */
  static Column of(FieldVector vector, int rows, byte[] scratch) {
    return switch (vector.getMinorType()) {
      case BIT -> longs(vector, ((BitVector) vector)::get);
      case TINYINT, SMALLINT, INT, BIGINT ->
          longs(vector, ((BaseIntVector) vector)::getValueAsLong);
      case UINT1 -> longs(vector, row -> ((UInt1Vector) vector).get(row) & 0xFF);
      case UINT2 -> longs(vector, ((UInt2Vector) vector)::get);
      case UINT4 -> longs(vector, row -> ((UInt4Vector) vector).get(row) & 0xFFFF_FFFFL);
      case FLOAT2, FLOAT4, FLOAT8 -> doubles((FloatingPointVector) vector);
      case DECIMAL -> decimals((DecimalVector) vector, rows);
      case VARCHAR, VARBINARY -> bytes((BaseVariableWidthVector) vector, scratch);
      case LARGEVARCHAR, LARGEVARBINARY -> bytes((BaseLargeVariableWidthVector) vector, scratch);
      case FIXEDSIZEBINARY -> bytes((FixedSizeBinaryVector) vector, scratch);
      case DATEDAY -> longs(vector, ((DateDayVector) vector)::get);
      case DATEMILLI -> divided(vector, rows, ((DateMilliVector) vector)::get, MILLIS_A_DAY);
      case TIMESEC -> times(vector, rows, ((TimeSecVector) vector)::get, MICROS_A_SECOND);
      case TIMEMILLI -> times(vector, rows, ((TimeMilliVector) vector)::get, MICROS_A_MILLI);
      case TIMEMICRO -> longs(vector, ((TimeMicroVector) vector)::get);
      case TIMENANO -> divided(vector, rows, ((TimeNanoVector) vector)::get, NANOS_A_MICRO);
      case TIMESTAMPSEC, TIMESTAMPSECTZ -> times(vector, rows, stamps(vector), MICROS_A_SECOND);
      case TIMESTAMPMILLI, TIMESTAMPMILLITZ -> times(vector, rows, stamps(vector), MICROS_A_MILLI);
      case TIMESTAMPMICRO, TIMESTAMPMICROTZ -> longs(vector, stamps(vector));
      case TIMESTAMPNANO, TIMESTAMPNANOTZ -> divided(vector, rows, stamps(vector), NANOS_A_MICRO);
      default -> objects(vector);
    };
  }

  private static Column objects(FieldVector vector) {
    return (Column.Boxed) ArrowValues.of(vector)::at;
  }

  private static Column longs(FieldVector vector, IntToLongFunction values) {
    return new Column.Longs() {
      @Override
      public boolean isNull(int row) {
        return vector.isNull(row);
      }

      @Override
      public long longAt(int row) {
        return values.applyAsLong(row);
      }
    };
  }

  private static Column.Doubles doubles(FloatingPointVector vector) {
    return new Column.Doubles() {
      @Override
      public boolean isNull(int row) {
        return vector.isNull(row);
      }

      @Override
      public double doubleAt(int row) {
        return vector.getValueAsDouble(row);
      }
    };
  }

  private static IntToLongFunction stamps(FieldVector vector) {
    return ((TimeStampVector) vector)::get;
  }

  private static Column times(FieldVector vector, int rows, IntToLongFunction values, long factor) {
    long limit = Long.MAX_VALUE / factor;
    for (int row = 0; row < rows; row++) {
      if (!vector.isNull(row)) {
        long value = values.applyAsLong(row);
        if (value < -limit || value > limit) {
          return objects(vector);
        }
      }
    }
    return longs(vector, row -> values.applyAsLong(row) * factor);
  }

  private static Column divided(
      FieldVector vector, int rows, IntToLongFunction values, long divisor) {
    for (int row = 0; row < rows; row++) {
      if (!vector.isNull(row) && values.applyAsLong(row) % divisor != 0) {
        return objects(vector);
      }
    }
    return longs(vector, row -> values.applyAsLong(row) / divisor);
  }

  /** Arrow keeps the unscaled value as 16 bytes, the lowest first. */
  private static Column decimals(DecimalVector vector, int rows) {
    if (vector.getPrecision() > LONG_DIGITS) {
      return objects(vector);
    }
    ArrowBuf data = vector.getDataBuffer();
    for (int row = 0; row < rows; row++) {
      long at = (long) row * DecimalVector.TYPE_WIDTH;
      if (!vector.isNull(row)
          && data.getLong(at + Long.BYTES) != data.getLong(at) >> (Long.SIZE - 1)) {
        return objects(vector);
      }
    }
    return longs(vector, row -> data.getLong((long) row * DecimalVector.TYPE_WIDTH));
  }

  private static Column bytes(BaseVariableWidthVector vector, byte[] scratch) {
    return new BytesColumn(vector, vector.getDataBuffer(), scratch) {
      @Override
      long start(int row) {
        return vector.getStartOffset(row);
      }
    };
  }

  private static Column bytes(BaseLargeVariableWidthVector vector, byte[] scratch) {
    return new BytesColumn(vector, vector.getDataBuffer(), scratch) {
      @Override
      long start(int row) {
        return vector.getOffsetBuffer().getLong((long) row * Long.BYTES);
      }
    };
  }

  private static Column bytes(FixedSizeBinaryVector vector, byte[] scratch) {
    return new BytesColumn(vector, vector.getDataBuffer(), scratch) {
      @Override
      long start(int row) {
        return (long) row * vector.getByteWidth();
      }
    };
  }

  /** Values that lie one after the other. */
  private abstract static class BytesColumn implements Column.Bytes {

    private final FieldVector vector;
    private final ArrowBuf data;
    private final byte[] scratch;

    BytesColumn(FieldVector vector, ArrowBuf data, byte[] scratch) {
      this.vector = vector;
      this.data = data;
      this.scratch = scratch;
    }

    /** Returns where the value of a row begins, which is where that of the row before it ends. */
    abstract long start(int row);

    @Override
    public boolean isNull(int row) {
      return vector.isNull(row);
    }

    @Override
    public void bytesAt(int row, BytesTarget target) {
      long end = start(row + 1);
      for (long at = start(row); at < end; at += scratch.length) {
        int length = (int) Math.min(scratch.length, end - at);
        data.getBytes(at, scratch, 0, length);
        target.put(scratch, 0, length);
      }
    }
  }
}

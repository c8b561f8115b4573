package io.filament.sink.arrow;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.jspecify.annotations.Nullable;

/**
 * The values of a vector as the Java objects that the sink's types take: for nested values, and for
 * those that no primitive holds.
 *
 * <p>A value that no object of the type's class holds (a time of day of 25 hours, a text that is
 * not UTF-8) is given as what it is, a Long or a byte[], so that the sink refuses it.
 */
final class ArrowValues {

  private final ValueVector vector;
  private final IntFunction<Object> present;

  private ArrowValues(ValueVector vector, IntFunction<Object> present) {
    this.vector = vector;
    this.present = present;
  }

  static ArrowValues of(ValueVector vector) {
    return new ArrowValues(vector, present(vector));
  }

  @Nullable Object at(int row) {
    return vector.isNull(row) ? null : present.apply(row);
  }

  private static IntFunction<Object> present(ValueVector vector) {
    return switch (vector.getMinorType()) {
      case BIT -> row -> ((BitVector) vector).get(row) != 0;
      case TINYINT, SMALLINT, INT, BIGINT -> row -> ((BaseIntVector) vector).getValueAsLong(row);
      case UINT1 -> row -> ((UInt1Vector) vector).get(row) & 0xFF;
      case UINT2 -> row -> (int) ((UInt2Vector) vector).get(row);
      case UINT4 -> row -> ((UInt4Vector) vector).get(row) & 0xFFFF_FFFFL;
      case UINT8 -> ((UInt8Vector) vector)::getObjectNoOverflow;
      case FLOAT2, FLOAT4, FLOAT8 -> ((FloatingPointVector) vector)::getValueAsDouble;
      case VARCHAR -> row -> text(((VarCharVector) vector).get(row));
      case LARGEVARCHAR -> row -> text(((LargeVarCharVector) vector).get(row));
      case DATEDAY -> row -> LocalDate.ofEpochDay(((DateDayVector) vector).get(row));
      case DATEMILLI -> row -> date(((DateMilliVector) vector).get(row));
      case TIMESEC -> times(((TimeSecVector) vector)::get, TimeUnit.SECONDS);
      case TIMEMILLI -> times(((TimeMilliVector) vector)::get, TimeUnit.MILLISECONDS);
      case TIMEMICRO -> times(((TimeMicroVector) vector)::get, TimeUnit.MICROSECONDS);
      case TIMENANO -> times(((TimeNanoVector) vector)::get, TimeUnit.NANOSECONDS);
      case TIMESTAMPSEC -> localTimes(vector, TimeUnit.SECONDS);
      case TIMESTAMPMILLI -> localTimes(vector, TimeUnit.MILLISECONDS);
      case TIMESTAMPMICRO -> localTimes(vector, TimeUnit.MICROSECONDS);
      case TIMESTAMPNANO -> localTimes(vector, TimeUnit.NANOSECONDS);
      case TIMESTAMPSECTZ -> instants(vector, TimeUnit.SECONDS);
      case TIMESTAMPMILLITZ -> instants(vector, TimeUnit.MILLISECONDS);
      case TIMESTAMPMICROTZ -> instants(vector, TimeUnit.MICROSECONDS);
      case TIMESTAMPNANOTZ -> instants(vector, TimeUnit.NANOSECONDS);
      case LIST -> lists((ListVector) vector);
      case LARGELIST -> lists((LargeListVector) vector);
      case FIXED_SIZE_LIST -> lists((FixedSizeListVector) vector);
      case STRUCT -> structs((StructVector) vector);
      case MAP -> maps((MapVector) vector);
      // Decimals and bytes: Arrow has the same classes.
      default -> vector::getObject;
    };
  }

  private static Object text(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      return utf8;
    }
  }

  /** Arrow asks for whole days and lets others be. */
  private static Object date(long epochMillis) {
    LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochMilli(epochMillis), ZoneOffset.UTC);
    return time.toLocalTime().equals(LocalTime.MIDNIGHT) ? time.toLocalDate() : time;
  }

  private static IntFunction<Object> times(IntToLongFunction values, TimeUnit unit) {
    return row -> {
      long value = values.applyAsLong(row);
      try {
        return LocalTime.ofNanoOfDay(unit.toNanos(value));
      } catch (DateTimeException e) {
        return value;
      }
    };
  }

  private static IntFunction<Object> localTimes(ValueVector vector, TimeUnit unit) {
    return row -> {
      long value = ((TimeStampVector) vector).get(row);
      try {
        return LocalDateTime.ofInstant(instant(value, unit), ZoneOffset.UTC);
      } catch (DateTimeException e) {
        return value;
      }
    };
  }

  private static IntFunction<Object> instants(ValueVector vector, TimeUnit unit) {
    return row -> {
      long value = ((TimeStampVector) vector).get(row);
      try {
        return instant(value, unit);
      } catch (DateTimeException e) {
        return value;
      }
    };
  }

  private static Instant instant(long value, TimeUnit unit) {
    long aSecond = unit.convert(1, TimeUnit.SECONDS);
    return Instant.ofEpochSecond(
        Math.floorDiv(value, aSecond), unit.toNanos(Math.floorMod(value, aSecond)));
  }

  private static IntFunction<Object> lists(ListVector vector) {
    ArrowValues elements = of(vector.getDataVector());
    return row -> elements.range(vector.getElementStartIndex(row), vector.getElementEndIndex(row));
  }

  private static IntFunction<Object> lists(LargeListVector vector) {
    ArrowValues elements = of(vector.getDataVector());
    return row ->
        elements.range(
            Math.toIntExact(vector.getElementStartIndex(row)),
            Math.toIntExact(vector.getElementEndIndex(row)));
  }

  private static IntFunction<Object> lists(FixedSizeListVector vector) {
    ArrowValues elements = of(vector.getDataVector());
    return row -> elements.range(vector.getElementStartIndex(row), vector.getElementEndIndex(row));
  }

  private List<@Nullable Object> range(int start, int end) {
    return new AbstractList<>() {
      @Override
      public @Nullable Object get(int index) {
        return at(start + index);
      }

      @Override
      public int size() {
        return end - start;
      }
    };
  }

  private static IntFunction<Object> structs(StructVector vector) {
    List<ArrowValues> fields = new ArrayList<>();
    for (FieldVector child : vector.getChildrenFromFields()) {
      fields.add(of(child));
    }
    return row -> {
      @Nullable Object[] values = new Object[fields.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = fields.get(i).at(row);
      }
      return values;
    };
  }

  private static IntFunction<Object> maps(MapVector vector) {
    StructVector entries = (StructVector) vector.getDataVector();
    ArrowValues keys = of(entries.getChildrenFromFields().get(0));
    ArrowValues values = of(entries.getChildrenFromFields().get(1));
    return row ->
        new Entries(
            keys.range(vector.getElementStartIndex(row), vector.getElementEndIndex(row)),
            values.range(vector.getElementStartIndex(row), vector.getElementEndIndex(row)));
  }

  /**
   * A map that may have a key twice, as Arrow's may: a HashMap would drop what the sink refuses.
   */
  private static final class Entries extends AbstractMap<@Nullable Object, @Nullable Object> {

    private final List<@Nullable Object> keys;
    private final List<@Nullable Object> values;

    Entries(List<@Nullable Object> keys, List<@Nullable Object> values) {
      this.keys = keys;
      this.values = values;
    }

    @Override
    public Set<Map.Entry<@Nullable Object, @Nullable Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<@Nullable Object, @Nullable Object>> iterator() {
          Iterator<@Nullable Object> key = keys.iterator();
          Iterator<@Nullable Object> value = values.iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return key.hasNext();
            }

            @Override
            public Map.Entry<@Nullable Object, @Nullable Object> next() {
              return new SimpleImmutableEntry<>(key.next(), value.next());
            }
          };
        }

        @Override
        public int size() {
          return keys.size();
        }
      };
    }
  }
}

package io.filament.sink.arrow;

import static io.filament.sink.FieldType.decimal;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Three rows with a vector of every type, at the bounds of what the types hold; row 1 is null. */
final class ArrowSamples {

  private static final ArrowType INT = MinorType.INT.getType();
  private static final ArrowType TEXT = MinorType.VARCHAR.getType();
  private static final String SMILE = "h\u00e9llo \ud83d\ude42";

  /**
   * One vector and what it means.
   *
   * @param set writes {@code first} to row 0 and {@code second} to row 2
   */
  private record Sample(
      Field field,
      FieldType type,
      BiConsumer<FieldVector, Integer> set,
      Object first,
      Object second) {}

  private static final List<Sample> SAMPLES = new ArrayList<>();

  static {
    addNumbers();
    addBytes();
    addDates();
    addTimestamps();
    addNested();
    SAMPLES.add(
        new Sample(
            Field.nullable("nothing", new ArrowType.Null()),
            FieldType.STRING,
            (v, row) -> {},
            null,
            null));
  }

  static final Schema SCHEMA =
      Schema.of(
          SAMPLES.stream()
              .map(s -> new io.filament.sink.Field(s.field.getName(), s.type, true))
              .toList());

  private ArrowSamples() {}

  static VectorSchemaRoot everyType(BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    for (Sample sample : SAMPLES) {
      FieldVector vector = sample.field.createVector(allocator);
      vector.setInitialCapacity(8);
      vector.allocateNew();
      sample.set.accept(vector, 0);
      sample.set.accept(vector, 2);
      vector.setValueCount(3);
      vectors.add(vector);
    }
    return new VectorSchemaRoot(SAMPLES.stream().map(Sample::field).toList(), vectors, 3);
  }

  static RecordBatch rows() {
    return RecordBatch.ofRows("r", SCHEMA, values());
  }

  static List<Object[]> values() {
    return List.of(
        SAMPLES.stream().map(Sample::first).toArray(),
        new Object[SAMPLES.size()],
        SAMPLES.stream().map(Sample::second).toArray());
  }

  /** Sets a row of a vector of one class. */
  private interface Setter<V> {

    void set(V vector, int row, boolean first);
  }

  @SuppressWarnings("unchecked") // the field makes vectors of this class
  private static <V extends FieldVector> void add(
      Field field, FieldType type, Setter<V> setter, Object first, Object second) {
    SAMPLES.add(
        new Sample(
            field, type, (vector, row) -> setter.set((V) vector, row, row == 0), first, second));
  }

  private static <V extends FieldVector> void add(
      MinorType arrow, FieldType type, Setter<V> setter, Object first, Object second) {
    Field field = Field.nullable(arrow.name(), arrow.getType());
    add(field, type, setter, first, second);
  }

  private static void addNumbers() {
    MinorType m = MinorType.BIT;
    add(
        m,
        FieldType.BOOLEAN,
        (BitVector v, int row, boolean a) -> v.set(row, a ? 1 : 0),
        true,
        false);
    m = MinorType.TINYINT;
    add(
        m,
        FieldType.INT16,
        (TinyIntVector v, int row, boolean a) -> v.set(row, a ? -128 : 127),
        -128,
        127);
    m = MinorType.SMALLINT;
    add(
        m,
        FieldType.INT16,
        (SmallIntVector v, int row, boolean a) -> v.set(row, a ? -32768 : 32767),
        -32768,
        32767);
    m = MinorType.INT;
    add(
        m,
        FieldType.INT32,
        (IntVector v, int row, boolean a) -> v.set(row, a ? 1 << 31 : -1),
        1 << 31,
        -1);
    m = MinorType.BIGINT;
    add(
        m,
        FieldType.INT64,
        (BigIntVector v, int row, boolean a) -> v.set(row, a ? 1L << 63 : -1),
        1L << 63,
        -1L);
    m = MinorType.UINT1;
    add(m, FieldType.INT16, (UInt1Vector v, int row, boolean a) -> v.set(row, a ? 255 : 1), 255, 1);
    m = MinorType.UINT2;
    add(
        m,
        FieldType.INT32,
        (UInt2Vector v, int row, boolean a) -> v.set(row, a ? 65535 : 1),
        65535,
        1);
    m = MinorType.UINT4;
    add(
        m,
        FieldType.INT64,
        (UInt4Vector v, int row, boolean a) -> v.set(row, a ? -1 : 1),
        (1L << 32) - 1,
        1L);
    m = MinorType.UINT8;
    BigInteger most = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    add(
        m,
        decimal(20, 0),
        (UInt8Vector v, int row, boolean a) -> v.set(row, a ? -1L : 1L),
        most,
        1);
    m = MinorType.FLOAT2;
    add(
        m,
        FieldType.FLOAT32,
        (Float2Vector v, int row, boolean a) -> v.setWithPossibleTruncate(row, a ? 0.5f : -2f),
        0.5f,
        -2f);
    m = MinorType.FLOAT4;
    add(
        m,
        FieldType.FLOAT32,
        (Float4Vector v, int row, boolean a) -> v.set(row, a ? 0.1f : Float.NaN),
        0.1f,
        Float.NaN);
    m = MinorType.FLOAT8;
    add(
        m,
        FieldType.FLOAT64,
        (Float8Vector v, int row, boolean a) -> v.set(row, a ? 0.1 : -0.0),
        0.1,
        -0.0);
    addDecimal(9, 2, "-1234567.89", "0.01");
    addDecimal(18, 18, "-0.999999999999999999", "0.000000000000000001");
    addDecimal(38, 3, "-12345678901234567890123456789012345.678", "1.000");
    BigDecimal wide = new BigDecimal("-12345678901234567890.12345");
    add(
        Field.nullable("d256", new ArrowType.Decimal(38, 5, 256)),
        decimal(38, 5),
        (Decimal256Vector v, int row, boolean a) -> v.set(row, a ? wide : wide.negate()),
        wide,
        wide.negate());
  }

  private static void addDecimal(int precision, int scale, String first, String second) {
    BigDecimal one = new BigDecimal(first);
    BigDecimal other = new BigDecimal(second);
    add(
        Field.nullable("d" + precision, new ArrowType.Decimal(precision, scale, 128)),
        decimal(precision, scale),
        (DecimalVector v, int row, boolean a) -> v.set(row, a ? one : other),
        one,
        other);
  }

  private static void addBytes() {
    byte[] text = SMILE.getBytes(StandardCharsets.UTF_8);
    byte[] raw = {0, -1, 127};
    byte[] none = {};
    MinorType m = MinorType.VARCHAR;
    add(
        m,
        FieldType.STRING,
        (VarCharVector v, int row, boolean a) -> v.setSafe(row, a ? text : none),
        SMILE,
        "");
    m = MinorType.LARGEVARCHAR;
    add(
        m,
        FieldType.STRING,
        (LargeVarCharVector v, int row, boolean a) -> v.setSafe(row, a ? none : text),
        "",
        SMILE);
    m = MinorType.VARBINARY;
    add(
        m,
        FieldType.BYTES,
        (VarBinaryVector v, int row, boolean a) -> v.setSafe(row, a ? raw : none),
        raw,
        none);
    m = MinorType.LARGEVARBINARY;
    add(
        m,
        FieldType.BYTES,
        (LargeVarBinaryVector v, int row, boolean a) -> v.setSafe(row, a ? none : raw),
        none,
        raw);
    byte[] other = {3, 2, 1};
    add(
        Field.nullable("fixed", new ArrowType.FixedSizeBinary(3)),
        FieldType.BYTES,
        (FixedSizeBinaryVector v, int row, boolean a) -> v.setSafe(row, a ? raw : other),
        raw,
        other);
  }

  private static void addDates() {
    LocalDate early = LocalDate.parse("0001-01-01");
    LocalDate late = LocalDate.parse("9999-12-31");
    MinorType m = MinorType.DATEDAY;
    add(
        m,
        FieldType.DATE,
        (DateDayVector v, int row, boolean a) -> v.set(row, (int) (a ? early : late).toEpochDay()),
        early,
        late);
    m = MinorType.DATEMILLI;
    add(
        m,
        FieldType.DATE,
        (DateMilliVector v, int row, boolean a) ->
            v.set(row, (a ? early : late).toEpochDay() * 86_400_000),
        early,
        late);
    LocalTime midnight = LocalTime.MIDNIGHT;
    m = MinorType.TIMESEC;
    add(
        m,
        FieldType.TIME,
        (TimeSecVector v, int row, boolean a) -> v.set(row, a ? 0 : 86_399),
        midnight,
        LocalTime.parse("23:59:59"));
    m = MinorType.TIMEMILLI;
    add(
        m,
        FieldType.TIME,
        (TimeMilliVector v, int row, boolean a) -> v.set(row, a ? 0 : 86_399_999),
        midnight,
        LocalTime.parse("23:59:59.999"));
    m = MinorType.TIMEMICRO;
    add(
        m,
        FieldType.TIME,
        (TimeMicroVector v, int row, boolean a) -> v.set(row, a ? 0 : 86_399_999_999L),
        midnight,
        LocalTime.parse("23:59:59.999999"));
    m = MinorType.TIMENANO;
    add(
        m,
        FieldType.TIME,
        (TimeNanoVector v, int row, boolean a) -> v.set(row, a ? 0 : 86_399_999_999_000L),
        midnight,
        LocalTime.parse("23:59:59.999999"));
  }

  private static void addTimestamps() {
    for (TimeUnit unit : TimeUnit.values()) {
      long aSecond =
          switch (unit) {
            case SECOND -> 1;
            case MILLISECOND -> 1_000;
            case MICROSECOND -> 1_000_000;
            case NANOSECOND -> 1_000_000_000;
          };
      Setter<TimeStampVector> set =
          (v, row, a) -> v.set(row, a ? -aSecond : 1_789_005_600 * aSecond);
      add(
          Field.nullable("local" + unit, new ArrowType.Timestamp(unit, null)),
          FieldType.TIMESTAMP,
          set,
          LocalDateTime.parse("1969-12-31T23:59:59"),
          LocalDateTime.parse("2026-09-10T02:00:00"));
      add(
          Field.nullable("zoned" + unit, new ArrowType.Timestamp(unit, "Europe/Berlin")),
          FieldType.TIMESTAMPTZ,
          set,
          Instant.parse("1969-12-31T23:59:59Z"),
          Instant.parse("2026-09-10T02:00:00Z"));
    }
  }

  private static void addNested() {
    FieldType ints = FieldType.list(FieldType.INT32);
    List<Object> some = new ArrayList<>(List.of(1, 2));
    some.add(null);
    Field item = Field.nullable("item", INT);
    add(
        nested("list", MinorType.LIST.getType(), item),
        ints,
        (ListVector v, int row, boolean a) -> {
          int start = v.startNewValue(row);
          setInts((IntVector) v.getDataVector(), start, a);
          v.endValue(row, a ? 3 : 0);
        },
        some,
        List.of());
    add(
        nested("large", MinorType.LARGELIST.getType(), item),
        ints,
        (LargeListVector v, int row, boolean a) -> {
          int start = (int) v.startNewValue(row);
          setInts((IntVector) v.getDataVector(), start, a);
          v.endValue(row, a ? 3 : 0);
        },
        some,
        List.of());
    add(
        nested("fixedList", new ArrowType.FixedSizeList(3), item),
        ints,
        (FixedSizeListVector v, int row, boolean a) -> {
          v.setNotNull(row);
          setInts((IntVector) v.getDataVector(), row * 3, true);
        },
        some,
        some);
    addStructAndMap();
  }

  private static void setInts(IntVector values, int start, boolean some) {
    if (some) {
      values.setSafe(start, 1);
      values.setSafe(start + 1, 2);
      values.setNull(start + 2);
    }
  }

  private static void addStructAndMap() {
    add(
        nested(
            "struct",
            MinorType.STRUCT.getType(),
            Field.nullable("x", INT),
            Field.nullable("y", TEXT)),
        FieldType.struct(
            Schema.builder()
                .nullable("x", FieldType.INT32)
                .nullable("y", FieldType.STRING)
                .build()),
        (StructVector v, int row, boolean a) -> {
          v.setIndexDefined(row);
          if (a) {
            ((IntVector) v.getChild("x")).setSafe(row, 7);
          } else {
            ((VarCharVector) v.getChild("y")).setSafe(row, new byte[] {'y'});
          }
        },
        new Object[] {7, null},
        new Object[] {null, "y"});
    Map<String, Object> entries = new LinkedHashMap<>();
    entries.put("b", 1);
    entries.put("a", null);
    add(
        mapField("map"),
        FieldType.map(FieldType.STRING, FieldType.INT32),
        (MapVector v, int row, boolean a) -> {
          StructVector pairs = (StructVector) v.getDataVector();
          int start = v.startNewValue(row);
          if (a) {
            pairs.setIndexDefined(start);
            pairs.setIndexDefined(start + 1);
            VarCharVector keys = (VarCharVector) pairs.getChild("key");
            keys.setSafe(start, new byte[] {'b'});
            keys.setSafe(start + 1, new byte[] {'a'});
            ((IntVector) pairs.getChild("value")).setSafe(start, 1);
          }
          v.endValue(row, a ? 2 : 0);
        },
        entries,
        Map.of());
  }

  /** Returns a field of maps from text to INT32. */
  static Field mapField(String name) {
    Field key =
        new Field("key", org.apache.arrow.vector.types.pojo.FieldType.notNullable(TEXT), null);
    Field pair =
        new Field(
            "entries",
            org.apache.arrow.vector.types.pojo.FieldType.notNullable(MinorType.STRUCT.getType()),
            List.of(key, Field.nullable("value", INT)));
    return nested(name, new ArrowType.Map(false), pair);
  }

  private static Field nested(String name, ArrowType type, Field... children) {
    return new Field(
        name, org.apache.arrow.vector.types.pojo.FieldType.nullable(type), List.of(children));
  }
}

package io.filament.sink.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.encode.EncodeThreads;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.TimeStampSecTZVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrow's door gives what the door for rows gives, or refuses what that refuses. */
class ArrowBatchesTest {

  private final BufferAllocator allocator = new RootAllocator();

  /** Also shows that nothing keeps a vector. */
  @AfterEach
  void close() {
    allocator.close();
  }

  @ParameterizedTest
  @EnumSource(FileFormat.class)
  void everyTypeGivesTheBytesOfTheDoorForRows(FileFormat format) throws IOException {
    try (VectorSchemaRoot root = ArrowSamples.everyType(allocator)) {
      RecordBatch batch = ArrowBatches.of("r", root);

      assertThat(batch.schema()).isEqualTo(ArrowSamples.SCHEMA);
      assertThat(object(format, batch))
          .isEqualTo(object(format, ArrowSamples.rows()))
          .hasSizeGreaterThan(100);
    }
  }

  @ParameterizedTest
  @EnumSource(FileFormat.class)
  void aSliceGivesItsOwnRows(FileFormat format) throws IOException {
    try (VectorSchemaRoot root = ArrowSamples.everyType(allocator);
        VectorSchemaRoot tail = root.slice(1, 2)) {
      RecordBatch rows =
          RecordBatch.ofRows("r", ArrowSamples.SCHEMA, ArrowSamples.values().subList(1, 3));

      assertThat(object(format, ArrowBatches.of("r", tail))).isEqualTo(object(format, rows));
    }
  }

  @ParameterizedTest
  @EnumSource(FileFormat.class)
  void aRootWithoutRowsGivesNone(FileFormat format) throws IOException {
    try (VectorSchemaRoot root = ArrowSamples.everyType(allocator);
        VectorSchemaRoot none = VectorSchemaRoot.create(root.getSchema(), allocator)) {
      RecordBatch rows = RecordBatch.ofRows("r", ArrowSamples.SCHEMA, List.of());

      assertThat(object(format, ArrowBatches.of("r", none))).isEqualTo(object(format, rows));
    }
  }

  @Test
  void aRootThatIsFilledAnewIsTakenAgain() throws IOException {
    IntVector vector = new IntVector("n", allocator);
    try (VectorSchemaRoot root = VectorSchemaRoot.of(vector)) {
      fill(root, () -> vector.setSafe(0, 1), 1);
      String first = text(ArrowBatches.of("r", root));
      fill(root, () -> vector.setSafe(1, 2), 2);

      assertThat(first).isEqualTo("{\"n\":1}\n");
      assertThat(text(ArrowBatches.of("r", root))).isEqualTo("{\"n\":null}\n{\"n\":2}\n");
    }
  }

  private static void fill(VectorSchemaRoot root, Runnable values, int rows) {
    root.allocateNew();
    values.run();
    root.setRowCount(rows);
  }

  @Test
  void textsOfAnyLengthAreWhole() throws IOException {
    List<String> texts = new ArrayList<>();
    for (int length : new int[] {0, 4095, 4096, 4097, 20_000}) {
      texts.add("é".repeat(length / 2) + "x".repeat(length % 2));
    }
    VarCharVector vector = new VarCharVector("s", allocator);
    for (int i = 0; i < texts.size(); i++) {
      vector.setSafe(i, texts.get(i).getBytes(StandardCharsets.UTF_8));
    }
    try (VectorSchemaRoot root = rootOf(vector, texts.size())) {
      StringBuilder expected = new StringBuilder();
      texts.forEach(text -> expected.append("{\"s\":\"").append(text).append("\"}\n"));

      assertThat(text(ArrowBatches.of("r", root))).isEqualTo(expected.toString());
    }
  }

  @Test
  void aFieldThatIsNotNullableIsRequired() {
    Field field = new Field("n", notNull(MinorType.INT.getType()), null);

    assertThat(ArrowBatches.schema(schemaOf(field)))
        .isEqualTo(Schema.builder().required("n", FieldType.INT32).build());
  }

  @Test
  void nullInAVectorThatMayHaveNoneIsRefused() {
    FieldVector vector =
        new Field("n", notNull(MinorType.INT.getType()), null).createVector(allocator);

    assertRefused(vector, "n", "null in a required field");
  }

  @Test
  void aFractionBelowAMicrosecondIsRefusedInItsRow() {
    TimeStampNanoVector vector = new TimeStampNanoVector("t", allocator);
    vector.setSafe(0, 1_000);
    vector.setSafe(1, -1);

    assertRefused(vector, "t", "1969-12-31T23:59:59.999999999 is finer than a microsecond");
  }

  @Test
  void aDateWithATimeOfDayIsRefused() {
    DateMilliVector vector = new DateMilliVector("d", allocator);
    vector.setSafe(0, 0);
    vector.setSafe(1, 60_000);

    assertRefused(vector, "d", "DATE takes a LocalDate, not java.time.LocalDateTime");
  }

  @Test
  void aTimeOfAWholeDayIsRefused() {
    TimeMicroVector vector = new TimeMicroVector("t", allocator);
    vector.setSafe(0, 0);
    vector.setSafe(1, 86_400_000_000L);

    assertRefused(vector, "t", "86400000000 microseconds is no time of day");
  }

  @Test
  void secondsThatNoCountOfMicrosecondsHoldsAreRefused() {
    TimeStampSecTZVector vector = new TimeStampSecTZVector("t", allocator, "UTC");
    vector.setSafe(0, 0);
    vector.setSafe(1, Long.MAX_VALUE / 1_000_000 + 1);

    assertRefused(vector, "t", "is further from 1970 than a count of microseconds holds");
  }

  @Test
  void aDecimalOfMoreDigitsThanItsTypeHasIsRefused() {
    DecimalVector vector = new DecimalVector("d", allocator, 18, 2);
    vector.setSafe(0, 1);
    vector.setBigEndianSafe(1, new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0});

    assertRefused(vector, "d", "184467440737095516.16 has more digits before the point");
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    VarCharVector vector = new VarCharVector("s", allocator);
    vector.setSafe(0, new byte[] {'a'});
    vector.setSafe(1, new byte[] {(byte) 0xFF});

    assertRefused(vector, "s", "UTF-8");
  }

  @Test
  void bytesThatAreNoUtf8AreRefusedInAList() {
    ListVector vector = list("s", MinorType.VARCHAR.getType());
    vector.startNewValue(1);
    ((VarCharVector) vector.getDataVector()).setSafe(0, new byte[] {(byte) 0xFF});
    vector.endValue(1, 1);

    assertRefused(vector, "s[]", "element 0: STRING takes a CharSequence");
  }

  @Test
  void aFractionBelowAMicrosecondIsRefusedInAList() {
    ListVector vector = list("t", MinorType.TIMESTAMPNANO.getType());
    vector.startNewValue(1);
    ((TimeStampNanoVector) vector.getDataVector()).setSafe(0, 1);
    vector.endValue(1, 1);

    assertRefused(vector, "t[]", "is finer than a microsecond");
  }

  @Test
  void aMapWithAKeyTwiceIsRefused() {
    MapVector vector = (MapVector) ArrowSamples.mapField("m").createVector(allocator);
    StructVector entries = (StructVector) vector.getDataVector();
    vector.startNewValue(1);
    for (int i = 0; i < 2; i++) {
      entries.setIndexDefined(i);
      ((VarCharVector) entries.getChild("key")).setSafe(i, new byte[] {'k'});
      ((IntVector) entries.getChild("value")).setSafe(i, i);
    }
    vector.endValue(1, 2);

    assertRefused(vector, "m", "two keys of the map have the form \"k\"");
  }

  @Test
  void aTypeWithoutCounterpartIsRefusedByTheWayToItsField() {
    assertUnsupported(MinorType.INTERVALDAY.getType(), "f", "Interval(DAY_TIME)");
    assertUnsupported(
        new ArrowType.Duration(org.apache.arrow.vector.types.TimeUnit.SECOND),
        "f",
        "Duration(SECOND)");
    assertUnsupported(new ArrowType.Union(UnionMode.Sparse, new int[0]), "f", "Union");
    assertUnsupported(MinorType.VIEWVARCHAR.getType(), "f", "Utf8View");
    assertUnsupported(new ArrowType.Decimal(39, 0, 256), "f", "1 to 38: 39");
    assertUnsupported(new ArrowType.Decimal(5, -2, 128), "f", "scale must be 0 to");
    Field deep = nullable("x", MinorType.INTERVALYEAR.getType());
    Field struct = new Field("s", nullableType(MinorType.STRUCT.getType()), List.of(deep));
    Field list = new Field("l", nullableType(MinorType.LIST.getType()), List.of(struct));
    assertUnsupported(list, "l[].x", "Interval(YEAR_MONTH)");
  }

  @Test
  void aVectorWithADictionaryIsRefused() {
    DictionaryEncoding encoding = new DictionaryEncoding(7, false, null);
    Field field =
        new Field(
            "f",
            new org.apache.arrow.vector.types.pojo.FieldType(
                true, MinorType.VARCHAR.getType(), encoding),
            null);

    assertUnsupported(field, "f", "is encoded with dictionary 7; decode the vector first");
  }

  @Test
  void twoFieldsOfOneNameAreRefused() {
    Field field = nullable("f", MinorType.INT.getType());

    assertThatThrownBy(() -> ArrowBatches.schema(schemaOf(field, field)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"f\" is declared twice");
  }

  private void assertUnsupported(ArrowType type, String path, String... words) {
    assertUnsupported(nullable("f", type), path, words);
  }

  private static void assertUnsupported(Field field, String path, String... words) {
    assertThatThrownBy(() -> ArrowBatches.schema(schemaOf(field)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("field \"" + path + "\"")
        .hasMessageContainingAll(words);
  }

  /** Writes the vector's first two rows, of which the second doesn't fit, and closes it. */
  private void assertRefused(FieldVector vector, String field, String problem) {
    int bad = field.equals("n") ? 0 : 1;
    try (VectorSchemaRoot root = rootOf(vector, 2)) {
      for (FileFormat format : FileFormat.values()) {
        assertThatThrownBy(() -> object(format, ArrowBatches.of("r", root)))
            .isInstanceOfSatisfying(
                InvalidRecordException.class,
                e -> {
                  assertThat(e.row()).isEqualTo(bad);
                  assertThat(e.field()).isEqualTo(field);
                })
            .hasMessageContaining(problem);
      }
    }
  }

  private ListVector list(String name, ArrowType element) {
    Field field =
        new Field(name, nullableType(MinorType.LIST.getType()), List.of(nullable("item", element)));
    return (ListVector) field.createVector(allocator);
  }

  private static VectorSchemaRoot rootOf(FieldVector vector, int rows) {
    vector.setValueCount(rows);
    return new VectorSchemaRoot(List.of(vector.getField()), List.of(vector), rows);
  }

  private static org.apache.arrow.vector.types.pojo.Schema schemaOf(Field... fields) {
    return new org.apache.arrow.vector.types.pojo.Schema(List.of(fields));
  }

  private static Field nullable(String name, ArrowType type) {
    return Field.nullable(name, type);
  }

  private static org.apache.arrow.vector.types.pojo.FieldType nullableType(ArrowType type) {
    return org.apache.arrow.vector.types.pojo.FieldType.nullable(type);
  }

  private static org.apache.arrow.vector.types.pojo.FieldType notNull(ArrowType type) {
    return org.apache.arrow.vector.types.pojo.FieldType.notNullable(type);
  }

  private static String text(RecordBatch batch) throws IOException {
    return new String(object(FileFormat.NDJSON, batch), StandardCharsets.UTF_8);
  }

  private static byte[] object(FileFormat format, RecordBatch batch) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ObjectFormat plain = new ObjectFormat(format, Compression.NONE);
    try (ResourceEncoder encoder =
        ResourceEncoder.open(batch.resource(), batch.schema(), plain, EncodeThreads.of(1), out)) {
      encoder.write(batch);
      encoder.finish();
    }
    return out.toByteArray();
  }
}

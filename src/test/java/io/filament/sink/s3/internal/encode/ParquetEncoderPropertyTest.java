package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

final class ParquetEncoderPropertyTest {

  private static final int MAX_DEPTH = 4;

  /**
   * Random schemas, rows, slices, row groups and codecs; a run's seed is printed with a failure.
   */
  @RepeatedTest(100)
  void whatIsWrittenIsReadBack(RepetitionInfo repetition) {
    long base = Long.getLong("seed", System.nanoTime());
    long seed = base + repetition.getCurrentRepetition() - 1;
    Random random = new Random(seed);
    Schema schema = schema(random, 0);
    List<List<Object>> rows = new ArrayList<>();
    int count = random.nextInt(random.nextBoolean() ? 10 : 400);
    for (int i = 0; i < count; i++) {
      rows.add(row(schema, random));
    }

    ParquetFile file =
        ParquetFile.ofSlices(
            schema,
            any(List.of(Compression.values()), random),
            1 << (8 + random.nextInt(12)),
            slices(schema, rows, random));

    assertThat(file.rows(schema)).as("-Dseed=" + seed + ", " + schema).isEqualTo(rows);
  }

  private static List<Slice> slices(Schema schema, List<List<Object>> rows, Random random) {
    List<Slice> slices = new ArrayList<>();
    int from = 0;
    while (from < rows.size()) {
      int to = Math.min(rows.size(), from + random.nextInt(100));
      slices.add(TestVectors.slice(schema, rows.subList(from, to)));
      from = to;
    }
    return slices;
  }

  private static Schema schema(Random random, int depth) {
    List<Field> fields = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      fields.add(new Field("f" + i, type(random, depth), random.nextInt(3) > 0));
    }
    return Schema.of(fields);
  }

  private static FieldType type(Random random, int depth) {
    if (depth >= MAX_DEPTH) {
      return scalar(random);
    }
    return switch (random.nextInt(6)) {
      case 0 -> FieldType.list(type(random, depth + 1));
      case 1 -> FieldType.struct(schema(random, depth + 1));
      case 2 -> FieldType.map(key(random), type(random, depth + 1));
      default -> scalar(random);
    };
  }

  private static FieldType key(Random random) {
    FieldType type = scalar(random);
    return type == FieldType.JSON ? FieldType.STRING : type;
  }

  private static FieldType scalar(Random random) {
    if (random.nextInt(5) > 0) {
      return any(List.of(FieldType.Primitive.values()), random);
    }
    int precision = 1 + random.nextInt(38);
    return FieldType.decimal(precision, random.nextInt(precision + 1));
  }

  private static <T> T any(List<T> choices, Random random) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static List<Object> row(Schema schema, Random random) {
    List<Object> values = new ArrayList<>();
    for (Field field : schema.fields()) {
      boolean isNull = field.nullable() && random.nextInt(4) == 0;
      values.add(isNull ? null : value(field.type(), random));
    }
    return values;
  }

  private static Object value(FieldType type, Random random) {
    if (type instanceof FieldType.ListType list) {
      List<Object> elements = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        elements.add(random.nextInt(4) == 0 ? null : value(list.element(), random));
      }
      return elements;
    }
    if (type instanceof FieldType.StructType struct) {
      return row(struct.schema(), random);
    }
    if (type instanceof FieldType.MapType map) {
      Map<Object, Object> entries = new LinkedHashMap<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        Object value = random.nextInt(4) == 0 ? null : value(map.value(), random);
        entries.put(value(map.key(), random), value);
      }
      return entries;
    }
    if (type instanceof FieldType.DecimalType decimal) {
      BigInteger limit = AllTypes.nines(decimal.precision());
      BigInteger magnitude = new BigInteger(limit.bitLength(), random).min(limit);
      return random.nextBoolean() ? magnitude : magnitude.negate();
    }
    return scalarValue((FieldType.Primitive) type, random);
  }

  private static Object scalarValue(FieldType.Primitive type, Random random) {
    return switch (type) {
      case BOOLEAN -> random.nextBoolean();
      case INT16 -> (long) (short) random.nextInt();
      case INT32, DATE -> random.nextBoolean() ? random.nextInt(9) : (long) random.nextInt();
      case INT64, TIME, TIMESTAMP, TIMESTAMPTZ ->
          random.nextBoolean() ? random.nextInt(9) : random.nextLong();
      case FLOAT32 -> random.nextInt(8) == 0 ? Float.NaN : (float) random.nextGaussian();
      case FLOAT64 -> random.nextInt(8) == 0 ? -0.0 : random.nextGaussian();
      case BYTES -> {
        byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 2_000 : 20)];
        random.nextBytes(bytes);
        yield ByteBuffer.wrap(bytes);
      }
      case STRING, JSON, UUID, NUMERIC -> text(random);
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int kind = random.nextInt(10);
      text.appendCodePoint(
          kind < 7 ? 'a' + random.nextInt(26) : kind < 9 ? random.nextInt(0xD800) : 0x1F600);
    }
    return text.toString();
  }
}

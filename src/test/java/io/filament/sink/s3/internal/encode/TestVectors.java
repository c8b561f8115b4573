package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Fills vectors from plain values, without the checks of the real gatherer. Whole numbers, dates
 * and times are {@link Long}, decimals the unscaled {@link BigInteger}, texts {@link String},
 * structs and lists {@link List}, maps {@link Map}.
 */
final class TestVectors {

  private TestVectors() {}

  /** Returns a slice of these rows. */
  static Slice slice(Schema schema, List<? extends List<?>> rows) {
    Slice slice = new Slice(schema, vectors(schema), rows.size());
    fill(slice.vectors(), schema, rows);
    return slice;
  }

  static List<Vector> vectors(Schema schema) {
    return schema.fields().stream().map(Field::type).map(Vector::of).toList();
  }

  /** Fills vectors again, as the gatherer does. */
  static void fill(List<Vector> vectors, Schema schema, List<? extends List<?>> rows) {
    for (int field = 0; field < vectors.size(); field++) {
      Vector vector = vectors.get(field);
      vector.clear();
      for (List<?> row : rows) {
        add(vector, schema.fields().get(field).type(), row.get(field));
      }
    }
  }

  private static void add(Vector vector, FieldType type, Object value) {
    if (value == null) {
      vector.addNull();
    } else if (vector instanceof Vector.Longs longs) {
      longs.add(asLong(value));
    } else if (vector instanceof Vector.Bytes bytes) {
      byte[] content = asBytes(value);
      bytes.put(content, 0, content.length);
      bytes.endValue();
    } else if (vector instanceof Vector.Lists lists) {
      FieldType element = ((FieldType.ListType) type).element();
      ((List<?>) value).forEach(e -> add(lists.elements(), element, e));
      lists.endValue();
    } else if (vector instanceof Vector.Maps maps) {
      FieldType.MapType map = (FieldType.MapType) type;
      ((Map<?, ?>) value)
          .forEach(
              (key, entry) -> {
                add(maps.keys(), map.key(), key);
                add(maps.values(), map.value(), entry);
              });
      maps.endValue();
    } else {
      Vector.Structs structs = (Vector.Structs) vector;
      Schema schema = ((FieldType.StructType) type).schema();
      for (int i = 0; i < schema.fields().size(); i++) {
        add(structs.fields().get(i), schema.fields().get(i).type(), ((List<?>) value).get(i));
      }
      structs.endValue();
    }
  }

  private static long asLong(Object value) {
    if (value instanceof Boolean bool) {
      return bool ? 1 : 0;
    }
    if (value instanceof Float number) {
      return Float.floatToRawIntBits(number);
    }
    if (value instanceof Double number) {
      return Double.doubleToRawLongBits(number);
    }
    return ((Number) value).longValue();
  }

  private static byte[] asBytes(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    }
    if (value instanceof BigInteger unscaled) {
      byte[] shortest = unscaled.toByteArray();
      byte[] sixteen = new byte[16];
      Arrays.fill(sixteen, (byte) (unscaled.signum() < 0 ? -1 : 0));
      System.arraycopy(shortest, 0, sixteen, 16 - shortest.length, shortest.length);
      return sixteen;
    }
    return ((String) value).getBytes(StandardCharsets.UTF_8);
  }
}

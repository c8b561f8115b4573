package io.filament.sink.s3.internal.encode;

import static org.apache.parquet.schema.LogicalTypeAnnotation.dateType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.intType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.listType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.mapType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timeType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FLOAT;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT32;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.math.BigInteger;
import java.util.List;
import org.apache.parquet.schema.ColumnOrder;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * Gives our types their Parquet types.
 *
 * <p>Lists and maps have the three levels that the format's specification names; their elements and
 * values are optional, a map's keys required. Names are kept as they are.
 */
final class ParquetSchema {

  /** The most digits that fit an INT32, and an INT64. */
  static final int INT32_DIGITS = 9;

  static final int INT64_DIGITS = 18;

  private ParquetSchema() {}

  /** Returns the type of a file with these fields. */
  static MessageType of(Schema schema) {
    return new MessageType("schema", columns(schema));
  }

  /** Returns the bytes of the shortest two's complement number with this many decimal digits. */
  static int decimalBytes(int precision) {
    return BigInteger.TEN.pow(precision).subtract(BigInteger.ONE).bitLength() / 8 + 1;
  }

  private static List<Type> columns(Schema schema) {
    return schema.fields().stream().map(ParquetSchema::column).toList();
  }

  private static Type column(Field field) {
    return column(
        field.name(), field.type(), field.nullable() ? Repetition.OPTIONAL : Repetition.REQUIRED);
  }

  private static Type column(String name, FieldType type, Repetition repetition) {
    if (type instanceof FieldType.ListType list) {
      return Types.buildGroup(repetition)
          .as(listType())
          .addField(
              Types.repeatedGroup()
                  .addField(column("element", list.element(), Repetition.OPTIONAL))
                  .named("list"))
          .named(name);
    }
    if (type instanceof FieldType.MapType map) {
      return Types.buildGroup(repetition)
          .as(mapType())
          .addField(
              Types.repeatedGroup()
                  .addField(column("key", map.key(), Repetition.REQUIRED))
                  .addField(column("value", map.value(), Repetition.OPTIONAL))
                  .named("key_value"))
          .named(name);
    }
    if (type instanceof FieldType.StructType struct) {
      return Types.buildGroup(repetition)
          .addFields(columns(struct.schema()).toArray(Type[]::new))
          .named(name);
    }
    if (type instanceof FieldType.DecimalType decimal) {
      return decimal(name, decimal, repetition);
    }
    return primitive(name, (FieldType.Primitive) type, repetition);
  }

  private static Type decimal(String name, FieldType.DecimalType type, Repetition repetition) {
    var builder =
        type.precision() <= INT32_DIGITS
            ? Types.primitive(INT32, repetition)
            : type.precision() <= INT64_DIGITS
                ? Types.primitive(INT64, repetition)
                : Types.primitive(FIXED_LEN_BYTE_ARRAY, repetition)
                    .length(decimalBytes(type.precision()));
    return builder.as(decimalType(type.scale(), type.precision())).named(name);
  }

  private static Type primitive(String name, FieldType.Primitive type, Repetition repetition) {
    return switch (type) {
      case BOOLEAN -> Types.primitive(BOOLEAN, repetition).named(name);
      case INT16 -> Types.primitive(INT32, repetition).as(intType(16, true)).named(name);
      case INT32 -> Types.primitive(INT32, repetition).named(name);
      case INT64 -> Types.primitive(INT64, repetition).named(name);
      case FLOAT32 -> floating(name, FLOAT, repetition);
      case FLOAT64 -> floating(name, DOUBLE, repetition);
      case STRING, JSON, NUMERIC, UUID ->
          Types.primitive(BINARY, repetition).as(stringType()).named(name);
      case BYTES -> Types.primitive(BINARY, repetition).named(name);
      case DATE -> Types.primitive(INT32, repetition).as(dateType()).named(name);
      case TIME ->
          Types.primitive(INT64, repetition).as(timeType(false, TimeUnit.MICROS)).named(name);
      case TIMESTAMP ->
          Types.primitive(INT64, repetition).as(timestampType(false, TimeUnit.MICROS)).named(name);
      case TIMESTAMPTZ ->
          Types.primitive(INT64, repetition).as(timestampType(true, TimeUnit.MICROS)).named(name);
    };
  }

  /**
   * Orders numbers as all versions of the format do: NaN is in no bound, and a bound of zero counts
   * for both zeros. By default parquet-java takes the total order of IEEE 754, which allows NaN in
   * bounds, and which older readers don't know.
   */
  private static Type floating(String name, PrimitiveTypeName type, Repetition repetition) {
    return Types.primitive(type, repetition).columnOrder(ColumnOrder.typeDefined()).named(name);
  }
}

package io.filament.sink.arrow;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.Types;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Which type of the sink holds every value of an Arrow type. */
final class ArrowTypes {

  /** The digits of 2^64 - 1. */
  private static final int UINT64_DIGITS = 20;

  private ArrowTypes() {}

  static Schema schema(List<org.apache.arrow.vector.types.pojo.Field> fields, String parent) {
    List<Field> ours = new ArrayList<>();
    for (org.apache.arrow.vector.types.pojo.Field field : fields) {
      FieldType type = type(field, parent + field.getName());
      ours.add(new Field(field.getName(), type, field.isNullable()));
    }
    return Schema.of(ours);
  }

  private static FieldType type(org.apache.arrow.vector.types.pojo.Field field, String path) {
    if (field.getDictionary() != null) {
      throw new IllegalArgumentException(
          "field \""
              + path
              + "\" is encoded with dictionary "
              + field.getDictionary().getId()
              + "; decode the vector first");
    }
    return switch (Types.getMinorTypeForArrowType(field.getType())) {
      case BIT -> FieldType.BOOLEAN;
      case TINYINT, UINT1, SMALLINT -> FieldType.INT16;
      case UINT2, INT -> FieldType.INT32;
      case UINT4, BIGINT -> FieldType.INT64;
      case UINT8 -> FieldType.decimal(UINT64_DIGITS, 0);
      case FLOAT2, FLOAT4 -> FieldType.FLOAT32;
      case FLOAT8 -> FieldType.FLOAT64;
      case DECIMAL, DECIMAL256 -> decimal((ArrowType.Decimal) field.getType(), path);
      // A column of nothing but nulls has no type; texts are what most readers take for anything.
      case NULL, VARCHAR, LARGEVARCHAR -> FieldType.STRING;
      case VARBINARY, LARGEVARBINARY, FIXEDSIZEBINARY -> FieldType.BYTES;
      case DATEDAY, DATEMILLI -> FieldType.DATE;
      case TIMESEC, TIMEMILLI, TIMEMICRO, TIMENANO -> FieldType.TIME;
      case TIMESTAMPSEC, TIMESTAMPMILLI, TIMESTAMPMICRO, TIMESTAMPNANO -> FieldType.TIMESTAMP;
      case TIMESTAMPSECTZ, TIMESTAMPMILLITZ, TIMESTAMPMICROTZ, TIMESTAMPNANOTZ ->
          FieldType.TIMESTAMPTZ;
      case LIST, LARGELIST, FIXED_SIZE_LIST ->
          FieldType.list(type(field.getChildren().get(0), path + "[]"));
      case STRUCT -> FieldType.struct(schema(field.getChildren(), path + "."));
      case MAP -> map(field.getChildren().get(0).getChildren(), path);
      case INTERVALDAY,
          INTERVALMONTHDAYNANO,
          INTERVALYEAR,
          DURATION,
          VIEWVARCHAR,
          VIEWVARBINARY,
          LISTVIEW,
          LARGELISTVIEW,
          UNION,
          DENSEUNION,
          EXTENSIONTYPE,
          RUNENDENCODED ->
          throw unsupported(field.getType(), path, "has no counterpart");
    };
  }

  private static FieldType decimal(ArrowType.Decimal type, String path) {
    try {
      return FieldType.decimal(type.getPrecision(), type.getScale());
    } catch (IllegalArgumentException e) {
      throw unsupported(type, path, "is out of bounds: " + e.getMessage());
    }
  }

  private static FieldType map(List<org.apache.arrow.vector.types.pojo.Field> entry, String path) {
    FieldType key = type(entry.get(0), path + "{key}");
    FieldType value = type(entry.get(1), path + "{}");
    try {
      return FieldType.map(key, value);
    } catch (IllegalArgumentException e) {
      throw unsupported(entry.get(0).getType(), path + "{key}", "is no key: " + e.getMessage());
    }
  }

  private static IllegalArgumentException unsupported(ArrowType type, String path, String why) {
    return new IllegalArgumentException("field \"" + path + "\": Arrow type " + type + " " + why);
  }
}

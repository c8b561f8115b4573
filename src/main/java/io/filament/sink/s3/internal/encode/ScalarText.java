package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;

/** Puts the text of a value of one scalar type, which is ASCII. STRING and JSON have none here. */
interface ScalarText extends JsonValues.JsonValue {

  /** The texts of a BOOLEAN, the first character lowest. */
  long FALSE = 0x65_736C_6166L;

  long TRUE = 0x6575_7274L;

  /** Puts the text of a value that is not null. */
  @Override
  void put(Vector vector, int index, TextBuffer to);

  /** Returns the text of a type. */
  static ScalarText of(FieldType type) {
    if (type instanceof DecimalType decimal) {
      return DecimalText.of(decimal);
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN ->
          (vector, index, to) -> {
            if (at(vector, index) == 0) {
              to.putWord(FALSE, 5);
            } else {
              to.putWord(TRUE, 4);
            }
          };
      case INT16, INT32, INT64 -> (vector, index, to) -> to.putLong(at(vector, index));
      case FLOAT32 ->
          (vector, index, to) -> FloatText.put(Float.intBitsToFloat((int) at(vector, index)), to);
      case FLOAT64 ->
          (vector, index, to) -> FloatText.put(Double.longBitsToDouble(at(vector, index)), to);
      case DATE -> {
        TimeText time = new TimeText();
        yield (vector, index, to) -> time.putDate(at(vector, index), to);
      }
      case TIME -> (vector, index, to) -> TimeText.putTime(at(vector, index), to);
      case TIMESTAMP -> {
        TimeText time = new TimeText();
        yield (vector, index, to) -> time.putTimestamp(at(vector, index), to);
      }
      case TIMESTAMPTZ -> {
        TimeText time = new TimeText();
        yield (vector, index, to) -> {
          time.putTimestamp(at(vector, index), to);
          to.put('Z');
        };
      }
      case UUID, NUMERIC -> ScalarText::putAscii;
      case BYTES -> ScalarText::putBase64;
      case STRING, JSON -> throw new IllegalArgumentException(type + " is not ASCII");
    };
  }

  static long at(Vector vector, int index) {
    return ((Vector.Longs) vector).get(index);
  }

  private static void putAscii(Vector vector, int index, TextBuffer to) {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    to.put(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private static void putBase64(Vector vector, int index, TextBuffer to) {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    Base64Text.put(bytes.array(), bytes.start(index), bytes.length(index), to);
  }
}

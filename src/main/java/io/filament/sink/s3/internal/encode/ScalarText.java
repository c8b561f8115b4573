package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import java.math.BigInteger;
import java.util.Base64;

/** Puts the text of a value of one scalar type, which is ASCII. STRING and JSON have none here. */
interface ScalarText {

  /** Puts the text of a value that is not null. */
  void put(Vector vector, int index, TextBuffer to);

  /** Returns the text of a type. */
  static ScalarText of(FieldType type) {
    if (type instanceof DecimalType decimal) {
      return decimal.precision() <= 18
          ? ofLongs((value, to) -> putDecimal(value, decimal.scale(), to))
          : (vector, index, to) -> putDecimal(unscaled(vector, index), decimal.scale(), to);
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> ofLongs((value, to) -> to.put(value == 0 ? "false" : "true"));
      case INT16, INT32, INT64 -> ofLongs((value, to) -> to.putLong(value));
      case FLOAT32 -> ofLongs((value, to) -> FloatText.put(Float.intBitsToFloat((int) value), to));
      case FLOAT64 -> ofLongs((value, to) -> FloatText.put(Double.longBitsToDouble(value), to));
      case DATE -> ofLongs(TimeText::putDate);
      case TIME -> ofLongs(TimeText::putTime);
      case TIMESTAMP -> ofLongs(TimeText::putTimestamp);
      case TIMESTAMPTZ ->
          ofLongs(
              (value, to) -> {
                TimeText.putTimestamp(value, to);
                to.put('Z');
              });
      case UUID, NUMERIC -> ScalarText::putAscii;
      case BYTES -> ScalarText::putBase64;
      case STRING, JSON -> throw new IllegalArgumentException(type + " is not ASCII");
    };
  }

  /** Puts the text of a value that is kept as a long. */
  interface LongText {

    void put(long value, TextBuffer to);
  }

  private static ScalarText ofLongs(LongText text) {
    return (vector, index, to) -> text.put(((Vector.Longs) vector).get(index), to);
  }

  private static void putAscii(Vector vector, int index, TextBuffer to) {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    to.put(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private static void putBase64(Vector vector, int index, TextBuffer to) {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    byte[] value = new byte[bytes.length(index)];
    System.arraycopy(bytes.array(), bytes.start(index), value, 0, value.length);
    byte[] text = Base64.getEncoder().encode(value);
    to.put(text, 0, text.length);
  }

  private static void putDecimal(long unscaled, int scale, TextBuffer to) {
    if (scale == 0) {
      to.putLong(unscaled);
      return;
    }
    if (unscaled < 0) {
      to.put('-');
    }
    long magnitude = Math.abs(unscaled);
    long unit = 1;
    for (int i = 0; i < scale; i++) {
      unit *= 10;
    }
    to.putLong(magnitude / unit);
    to.put('.');
    to.putPadded(magnitude % unit, scale);
  }

  private static BigInteger unscaled(Vector vector, int index) {
    Vector.Bytes bytes = (Vector.Bytes) vector;
    return new BigInteger(bytes.array(), bytes.start(index), bytes.length(index));
  }

  private static void putDecimal(BigInteger unscaled, int scale, TextBuffer to) {
    if (unscaled.signum() < 0) {
      to.put('-');
    }
    String digits = unscaled.abs().toString();
    int integerDigits = digits.length() - scale;
    if (integerDigits <= 0) {
      to.put('0');
    } else {
      to.put(digits, 0, integerDigits);
    }
    if (scale > 0) {
      to.put('.');
      to.putZeros(Math.max(0, -integerDigits));
      to.put(digits, Math.max(0, integerDigits), digits.length());
    }
  }
}

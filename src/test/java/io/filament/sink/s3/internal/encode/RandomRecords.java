package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import io.filament.sink.FieldType.ListType;
import io.filament.sink.FieldType.MapType;
import io.filament.sink.FieldType.Primitive;
import io.filament.sink.FieldType.StructType;
import io.filament.sink.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Makes schemas and values of all types, each value with what a reader of JSON must find. */
final class RandomRecords {

  private static final String[] PIECES = {
    "a", "Z", "0", " ", "\n", "\"", "\\", "/", "\u0000", "\u001F", "\u007F", "é", "\u2028", "日",
    "，", "😀", "𝄞", "\uFFFF"
  };
  private static final long MICROS_A_DAY = 86_400_000_000L;
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);

  private final Random random;

  RandomRecords(Random random) {
    this.random = random;
  }

  /**
   * A value of a type and what is read of it: null, Boolean, String, BigDecimal (with its scale),
   * Double, Float, List or Map.
   */
  record Sample(Object value, Object read) {}

  Schema schema(int depth) {
    Schema.Builder builder = Schema.builder();
    int fields = 1 + random.nextInt(6);
    for (int i = 0; i < fields; i++) {
      String name = i + text(3);
      if (random.nextBoolean()) {
        builder.required(name, type(depth));
      } else {
        builder.nullable(name, type(depth));
      }
    }
    return builder.build();
  }

  private FieldType type(int depth) {
    int nested = depth == 0 ? 4 : random.nextInt(8);
    return switch (nested) {
      case 0 -> FieldType.list(type(depth - 1));
      case 1 -> FieldType.struct(schema(depth - 1));
      case 2 -> FieldType.map(scalar(), type(depth - 1));
      case 3 -> FieldType.JSON;
      default -> scalar();
    };
  }

  private FieldType scalar() {
    Primitive[] primitives = Primitive.values();
    int choice = random.nextInt(primitives.length + 2);
    if (choice < primitives.length && primitives[choice] != Primitive.JSON) {
      return primitives[choice];
    }
    int precision = 1 + random.nextInt(DecimalType.MAX_PRECISION);
    return FieldType.decimal(precision, random.nextInt(precision + 1));
  }

  Sample sample(Field field) {
    return field.nullable() ? nullable(field.type()) : sample(field.type());
  }

  private Sample nullable(FieldType type) {
    return random.nextInt(5) == 0 ? new Sample(null, null) : sample(type);
  }

  private Sample sample(FieldType type) {
    if (type instanceof ListType list) {
      return list(list);
    }
    if (type instanceof StructType struct) {
      return struct(struct.schema());
    }
    if (type instanceof MapType map) {
      return map(map);
    }
    if (type instanceof DecimalType decimal) {
      return decimal(decimal);
    }
    return switch ((Primitive) type) {
      case BOOLEAN -> {
        boolean value = random.nextBoolean();
        yield new Sample(value, value);
      }
      case INT16 -> whole((short) number());
      case INT32 -> whole((int) number());
      case INT64 -> whole(number());
      case FLOAT32 -> float32();
      case FLOAT64 -> float64();
      case STRING -> string();
      case JSON -> json();
      case BYTES -> bytes();
      case DATE -> {
        LocalDate date = LocalDate.ofEpochDay(random.nextInt(2_932_897) - 719_528);
        yield new Sample(date, DATE.format(date));
      }
      case TIME -> {
        LocalTime time = LocalTime.ofNanoOfDay(1_000 * micros(MICROS_A_DAY));
        yield new Sample(time, timeText(time));
      }
      case TIMESTAMP -> {
        LocalDateTime time = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plusNanos(nanos());
        yield new Sample(time, DATE.format(time) + "T" + timeText(time.toLocalTime()));
      }
      case TIMESTAMPTZ -> instant();
      case UUID -> {
        UUID uuid = new UUID(random.nextLong(), random.nextLong());
        Object value = random.nextBoolean() ? uuid : uuid.toString().toUpperCase(Locale.ROOT);
        yield new Sample(value, uuid.toString());
      }
      case NUMERIC -> numeric();
    };
  }

  private static Sample whole(Number value) {
    return new Sample(value, BigDecimal.valueOf(value.longValue()));
  }

  /** Returns a number of any length, so that small ones are as frequent as large ones. */
  private long number() {
    return random.nextLong() >> random.nextInt(64);
  }

  private long micros(long bound) {
    long micros = Math.floorMod(random.nextLong(), bound);
    return random.nextBoolean() ? micros : micros - micros % 1_000_000;
  }

  private long nanos() {
    return 1_000 * (micros(8 * 365 * 100 * MICROS_A_DAY / 4) - 365 * 100 * MICROS_A_DAY);
  }

  private static String timeText(LocalTime time) {
    String pattern = time.toNanoOfDay() % 1_000_000_000 == 0 ? "HH:mm:ss" : "HH:mm:ss.SSSSSS";
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(time);
  }

  private Sample instant() {
    LocalDateTime utc = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plusNanos(nanos());
    Instant instant = utc.toInstant(ZoneOffset.UTC);
    Object value =
        switch (random.nextInt(3)) {
          case 0 -> instant;
          case 1 -> instant.atOffset(ZoneOffset.ofHoursMinutes(5, 45));
          default -> instant.atZone(ZoneOffset.ofHours(-11));
        };
    return new Sample(value, DATE.format(utc) + "T" + timeText(utc.toLocalTime()) + "Z");
  }

  private Sample float32() {
    float value = Float.intBitsToFloat(random.nextInt());
    return new Sample(value, Float.isFinite(value) ? (Object) value : Float.toString(value));
  }

  private Sample float64() {
    double value = random.nextBoolean() ? Double.longBitsToDouble(random.nextLong()) : number();
    return new Sample(value, Double.isFinite(value) ? (Object) value : Double.toString(value));
  }

  private Sample decimal(DecimalType type) {
    BigInteger bound = BigInteger.TEN.pow(1 + random.nextInt(type.precision()));
    BigInteger unscaled = new BigInteger(bound.bitLength(), random).mod(bound);
    if (random.nextBoolean()) {
      unscaled = unscaled.negate();
    }
    BigDecimal read = new BigDecimal(unscaled, type.scale());
    return new Sample(random.nextBoolean() ? read : stripped(read), read);
  }

  private static BigDecimal stripped(BigDecimal number) {
    return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
  }

  private Sample numeric() {
    if (random.nextInt(8) == 0) {
      String special = List.of("NaN", "Infinity", "-Infinity").get(random.nextInt(3));
      return new Sample(special, special);
    }
    BigInteger unscaled = new BigInteger(1 + random.nextInt(300), random);
    BigDecimal number = new BigDecimal(unscaled, random.nextInt(1_000) - 500);
    if (random.nextBoolean()) {
      number = number.negate();
    }
    // Plain text has no scale below zero.
    int plainDigits = number.precision() - number.scale();
    boolean plain = number.scale() < 0 && (number.signum() == 0 || plainDigits <= 400);
    BigDecimal read = plain ? number.setScale(0) : number;
    return new Sample(random.nextBoolean() ? number : number.toString(), read);
  }

  private Sample string() {
    StringBuilder value = new StringBuilder();
    StringBuilder read = new StringBuilder();
    int pieces = random.nextInt(4) == 0 ? random.nextInt(3_000) : random.nextInt(20);
    for (int i = 0; i < pieces; i++) {
      if (random.nextInt(50) == 0) {
        // A low surrogate never makes a pair with what follows, and a high one only with that.
        value.append(random.nextBoolean() ? "\uDC00" : "\uD800x");
        read.append(value.charAt(value.length() - 1) == 'x' ? "\uFFFDx" : "\uFFFD");
      } else {
        String piece = PIECES[random.nextInt(PIECES.length)];
        value.append(piece);
        read.append(piece);
      }
    }
    return new Sample(random.nextBoolean() ? value : value.toString(), read.toString());
  }

  private String text(int pieces) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private Sample json() {
    StringBuilder text = new StringBuilder();
    Object read = json(text, 3);
    return new Sample(text.toString(), read);
  }

  private Object json(StringBuilder text, int depth) {
    text.append(" ".repeat(random.nextInt(2)));
    int choice = random.nextInt(depth == 0 ? 4 : 6);
    if (choice < 4) {
      Object scalar =
          List.of("nothing", true, "x y", BigDecimal.valueOf(number(), random.nextInt(5)))
              .get(choice);
      text.append(
          choice == 0 ? "null" : choice == 2 ? "\"x y\"" : scalar.toString().replace("E", "e"));
      return choice == 0 ? null : scalar;
    }
    boolean array = choice == 4;
    List<Object> elements = new ArrayList<>();
    Map<String, Object> members = new LinkedHashMap<>();
    text.append(array ? '[' : '{');
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",\n");
      if (array) {
        elements.add(json(text, depth - 1));
      } else {
        text.append("\"k").append(i).append("\"\t:");
        members.put("k" + i, json(text, depth - 1));
      }
    }
    text.append(array ? " ]" : " }");
    return array ? elements : members;
  }

  private Sample bytes() {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return new Sample(
        random.nextBoolean() ? bytes : ByteBuffer.wrap(bytes),
        Base64.getEncoder().encodeToString(bytes));
  }

  private Sample list(ListType type) {
    List<Object> values = new ArrayList<>();
    List<Object> read = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Sample element = nullable(type.element());
      values.add(element.value);
      read.add(element.read);
    }
    return new Sample(random.nextBoolean() ? values : values.toArray(), read);
  }

  private Sample struct(Schema schema) {
    Map<String, Object> values = new LinkedHashMap<>();
    Map<String, Object> read = new LinkedHashMap<>();
    for (Field field : schema.fields()) {
      Sample sample = sample(field);
      values.put(field.name(), sample.value);
      read.put(field.name(), sample.read);
    }
    return new Sample(random.nextBoolean() ? values : values.values().toArray(), read);
  }

  private Sample map(MapType type) {
    Map<Object, Object> values = new LinkedHashMap<>();
    Map<String, Object> read = new LinkedHashMap<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      Sample key = sample(type.key());
      String name = keyText(key.read);
      if (!read.containsKey(name)) {
        Sample value = nullable(type.value());
        values.put(key.value, value.value);
        read.put(name, value.read);
      }
    }
    return new Sample(values, read);
  }

  private static String keyText(Object read) {
    if (read instanceof Double || read instanceof Float) {
      TextBuffer buffer = new TextBuffer();
      if (read instanceof Double number) {
        FloatText.put(number.doubleValue(), buffer);
      } else {
        FloatText.put(((Float) read).floatValue(), buffer);
      }
      return new String(buffer.array(), 0, buffer.length(), StandardCharsets.US_ASCII);
    }
    if (read instanceof BigDecimal number) {
      return isPlain(number) ? number.toPlainString() : number.toString();
    }
    return read.toString();
  }

  /** Says whether a number's plain form has at most 400 digits. */
  private static boolean isPlain(BigDecimal number) {
    int digits =
        number.scale() <= 0
            ? number.precision() - number.scale()
            : Math.max(number.precision(), number.scale() + 1);
    return digits <= 400;
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The texts of values, byte for byte those of slower and independent ways to write them. */
class JsonBytesPropertyTest {

  private static final int ROUNDS = 4_000;

  /** Widths one to four, what is escaped, what stands beside that, and what must not be. */
  private static final String[] PIECES = {
    "a", "!", "#", "[", "]", " ", "\"", "\\", "\u0000", "\u001F", "\n", "\t", "\r", "\b", "\f",
    "\u007F", "\u0080", "é", "\u0722", "\u2028", "日", "\uFFFF", "😀"
  };

  private final TextBuffer text = new TextBuffer();
  private long seed;
  private Random random;

  @BeforeEach
  void begin() {
    seed = Long.getLong("seed", System.nanoTime());
    random = new Random(seed);
  }

  @Test
  void stringsAreThoseOfJackson() throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      String value = string(random.nextInt(40));
      assertThat(bytesAs(FieldType.STRING, value)).as("seed %d", seed).isEqualTo(jackson(value));
    }
  }

  /** Buffers of 4,000 and 8,000 bytes are those whose edges have cut characters in two. */
  @Test
  void stringsAtTheEdgesOfBuffersAreThoseOfJackson() throws IOException {
    for (int edge : new int[] {3_990, 7_990, 12_278, 65_526}) {
      for (int length = edge; length <= edge + 20; length++) {
        String value = "x".repeat(length - random.nextInt(8)) + string(12);
        assertThat(bytesAs(FieldType.STRING, value))
            .as("length %d, seed %d", length, seed)
            .isEqualTo(jackson(value));
      }
    }
  }

  /** The array ends with the last value, so that nothing behind it may be read. */
  @Test
  void everyPlaceInAnArrayIsEscapedAlike() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] value = string(random.nextInt(20)).getBytes(StandardCharsets.UTF_8);
      int from = value.length == 0 ? 0 : random.nextInt(value.length);
      text.clear();
      JsonStrings.put(value, from, value.length - from, text);
      byte[] alone = written();
      byte[] inMiddle = new byte[value.length + 30];
      random.nextBytes(inMiddle);
      System.arraycopy(value, 0, inMiddle, 5, value.length);
      text.clear();
      JsonStrings.put(inMiddle, 5 + from, value.length - from, text);
      assertThat(written()).as("seed %d", seed).isEqualTo(alone);
    }
  }

  @Test
  void namesAndKeysAreThoseOfJackson() throws IOException {
    for (int i = 0; i < ROUNDS / 10; i++) {
      String name = string(random.nextInt(20));
      Schema schema = Schema.builder().required(name, FieldType.INT32).build();
      assertThat(Encoding.ndjson(schema, Encoding.rows(schema, new Object[] {1})))
          .isEqualTo("{" + new String(jackson(name), StandardCharsets.UTF_8) + ":1}\n");
      Map<String, Integer> map = new LinkedHashMap<>();
      map.put(name, 1);
      assertThat(Encoding.valueAs(FieldType.map(FieldType.STRING, FieldType.INT32), map))
          .as("seed %d", seed)
          .isEqualTo("{" + new String(jackson(name), StandardCharsets.UTF_8) + ":1}");
    }
  }

  @Test
  void wholeNumbersAreThoseOfTheJdk() {
    List<Long> values = new ArrayList<>(List.of(0L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (long power = 1; power > 0 && power <= Long.MAX_VALUE / 10; power *= 10) {
      values.addAll(List.of(power - 1, power, power + 1, -power, 1 - power, -1 - power));
    }
    for (int i = 0; i < ROUNDS; i++) {
      values.add(random.nextLong() >> random.nextInt(64));
    }
    for (long value : values) {
      text.clear().putLong(value);
      assertThat(shown()).as("seed %d", seed).isEqualTo(Long.toString(value));
    }
  }

  @Test
  void decimalsAreThoseOfTheJdk() {
    for (int i = 0; i < ROUNDS / 10; i++) {
      int precision = 1 + random.nextInt(DecimalType.MAX_PRECISION);
      int scale = random.nextInt(precision + 1);
      BigInteger bound = BigInteger.TEN.pow(precision);
      BigInteger unscaled =
          switch (random.nextInt(4)) {
            case 0 -> bound.subtract(BigInteger.ONE);
            case 1 -> BigInteger.TEN.pow(random.nextInt(precision));
            case 2 -> BigInteger.ONE.shiftLeft(random.nextInt(bound.bitLength() - 1));
            default -> new BigInteger(1 + random.nextInt(bound.bitLength()), random).mod(bound);
          };
      BigDecimal value = new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
      assertThat(Encoding.valueAs(FieldType.decimal(precision, scale), value))
          .as("seed %d", seed)
          .isEqualTo(value.toPlainString());
    }
  }

  @Test
  void daysAreThoseOfTheJdk() {
    TimeText time = new TimeText();
    List<Long> days = new ArrayList<>(List.of((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE));
    for (long day = -800_000; day < 3_000_000; day += 1 + random.nextInt(97)) {
      days.add(day);
      days.add(day);
    }
    for (int i = 0; i < ROUNDS; i++) {
      days.add((long) random.nextInt() >> random.nextInt(32));
    }
    for (int year : new int[] {-400, -1, 0, 1, 1600, 1900, 1970, 2000, 2024, 2100, 9999, 10_000}) {
      for (LocalDate near : List.of(LocalDate.of(year, 3, 1), LocalDate.of(year, 1, 1))) {
        days.addAll(List.of(near.toEpochDay() - 1, near.toEpochDay()));
      }
    }
    for (long day : days) {
      time.putDate(day, text.clear());
      assertThat(shown()).as("seed %d", seed).isEqualTo(LocalDate.ofEpochDay(day).toString());
    }
  }

  @Test
  void base64IsThatOfTheJdk() {
    for (int i = 0; i < ROUNDS / 10; i++) {
      byte[] value = new byte[random.nextInt(i % 50 == 0 ? 40_000 : 20)];
      random.nextBytes(value);
      assertThat(Encoding.valueAs(FieldType.BYTES, value))
          .as("seed %d", seed)
          .isEqualTo("\"" + Base64.getEncoder().encodeToString(value) + "\"");
    }
  }

  private String string(int pieces) {
    StringBuilder string = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      string.append(random.nextInt(3) > 0 ? "b" : PIECES[random.nextInt(PIECES.length)]);
    }
    return string.toString();
  }

  private static byte[] bytesAs(FieldType type, String value) {
    return Encoding.valueAs(type, value).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] jackson(String value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = new JsonFactory().createGenerator(out, JsonEncoding.UTF8)) {
      generator.writeString(new SerializedString(value));
    }
    return out.toByteArray();
  }

  private byte[] written() {
    return shown().getBytes(StandardCharsets.UTF_8);
  }

  private String shown() {
    return new String(text.array(), 0, text.length(), StandardCharsets.UTF_8);
  }
}

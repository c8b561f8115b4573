package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The text of floating-point numbers, over all of them. */
class FloatTextPropertyTest {

  private static final int ROUNDS = 60_000;
  private static final Pattern PLAIN = Pattern.compile("-?(0|[1-9][0-9]*)\\.[0-9]+");
  private static final Pattern SCIENTIFIC = Pattern.compile("-?[1-9]\\.[0-9]+E-?[1-9][0-9]*");

  private final TextBuffer buffer = new TextBuffer();

  @Test
  void everyDoubleIsReadBackAndIsNoLongerThanJavasForm() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      double value =
          switch (i % 3) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> Math.rint(random.nextGaussian() * 1e6) / Math.pow(10, random.nextInt(12));
            default -> random.nextLong() * Math.pow(10, random.nextInt(50) - 25);
          };
      if (Double.isFinite(value)) {
        checkDouble(value, "seed " + seed);
      }
    }
  }

  @Test
  void theEdgesOfThePlainFormAreWhereTheyShouldBe() {
    for (double edge : new double[] {1e-7, 1e-3, 1e7, 1e21, Double.MIN_NORMAL, 0x1p53}) {
      for (double sign : new double[] {1, -1}) {
        checkDouble(sign * edge, "edge");
        checkDouble(sign * Math.nextUp(edge), "edge");
        checkDouble(sign * Math.nextDown(edge), "edge");
      }
    }
  }

  @Test
  void everyFloatIsReadBackAndIsNoLongerThanJavasForm() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      if (Float.isFinite(value)) {
        buffer.clear();
        FloatText.put(value, buffer);
        String text = text();
        assertThat(Float.floatToIntBits(Float.parseFloat(text)))
            .as("%s of %s, seed %d", text, value, seed)
            .isEqualTo(Float.floatToIntBits(value));
        checkForm(text, Math.abs((double) value), Float.toString(value), "seed " + seed);
      }
    }
  }

  @Test
  void everyDoubleHasTheDecimalThatSchubfachOfJacksonFinds() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      double value =
          switch (i % 6) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> Math.rint(random.nextDouble() * 2e9) / Math.pow(10, random.nextInt(8));
            case 2 -> Math.scalb(1.0, random.nextInt(2098) - 1074);
            case 3 -> Double.longBitsToDouble(random.nextInt(1 << (1 + random.nextInt(30))));
            case 4 -> random.nextLong() >> random.nextInt(64);
            default -> (1 + random.nextInt(99)) * Math.pow(10, random.nextInt(600) - 300);
          };
      if (Double.isFinite(value)) {
        buffer.clear();
        FloatText.put(value, buffer);
        assertThat(new BigDecimal(text()))
            .as("%s, seed %d", value, seed)
            .isEqualByComparingTo(new BigDecimal(NumberOutput.toString(value, true)));
      }
    }
  }

  @Test
  void everyFloatHasTheDecimalThatSchubfachOfJacksonFinds() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      float value =
          switch (i % 3) {
            case 0 -> Float.intBitsToFloat(random.nextInt());
            case 1 -> Math.scalb(1f, random.nextInt(277) - 149);
            default -> Float.intBitsToFloat(random.nextInt(1 << (1 + random.nextInt(24))));
          };
      if (Float.isFinite(value)) {
        buffer.clear();
        FloatText.put(value, buffer);
        assertThat(new BigDecimal(text()))
            .as("%s, seed %d", value, seed)
            .isEqualByComparingTo(new BigDecimal(NumberOutput.toString(value, true)));
      }
    }
  }

  /** Nothing shorter is read back as the number: the two decimals next to it of a digit less. */
  @Test
  void noDecimalOfADigitLessIsReadBack() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS / 4; i++) {
      double value = Math.abs(Double.longBitsToDouble(random.nextLong()));
      if (!Double.isFinite(value) || value == 0) {
        continue;
      }
      buffer.clear();
      FloatText.put(value, buffer);
      int shorter = digits(text()) - 1;
      for (RoundingMode mode : List.of(RoundingMode.DOWN, RoundingMode.UP)) {
        if (shorter > 1) { // of one digit and two, the JDK takes two
          BigDecimal rounded = new BigDecimal(value).round(new MathContext(shorter, mode));
          assertThat(rounded.doubleValue()).as("%s, seed %d", value, seed).isNotEqualTo(value);
        }
      }
    }
  }

  private void checkDouble(double value, String origin) {
    buffer.clear();
    FloatText.put(value, buffer);
    String text = text();
    assertThat(Double.doubleToLongBits(Double.parseDouble(text)))
        .as("%s of %s, %s", text, value, origin)
        .isEqualTo(Double.doubleToLongBits(value));
    checkForm(text, Math.abs(value), Double.toString(value), origin);
  }

  private static void checkForm(String text, double magnitude, String javasForm, String origin) {
    boolean plain = magnitude == 0 || (magnitude >= 1e-7 && magnitude < 1e21);
    assertThat(text).as(origin).matches(plain ? PLAIN : SCIENTIFIC);
    assertThat(digits(text))
        .as("%s of %s, %s", text, javasForm, origin)
        .isLessThanOrEqualTo(digits(javasForm));
  }

  /** Returns the significant digits of a number's text. */
  private static int digits(String text) {
    int e = text.indexOf('E');
    String mantissa = (e < 0 ? text : text.substring(0, e)).replaceAll("[-.]", "");
    return mantissa.replaceAll("^0+|0+$", "").length();
  }

  private String text() {
    return new String(buffer.array(), 0, buffer.length(), StandardCharsets.US_ASCII);
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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

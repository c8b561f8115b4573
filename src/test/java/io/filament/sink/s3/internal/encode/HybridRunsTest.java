package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HybridRunsTest {

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "2, 1", "3, 2", "4, 2", "5, 3", "256, 8", "257, 9", "32768, 15"})
  void widthHoldsEveryCode(int count, int width) {
    assertThat(HybridRuns.width(count)).isEqualTo(width);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void runsAndValuesBetweenThemComeBack(int width) throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      char[] values = new char[random.nextInt(600)];
      for (int at = 0; at < values.length; ) {
        int run = random.nextInt(3) == 0 ? 6 + random.nextInt(6) : 1 + random.nextInt(3);
        int end = Math.min(values.length, at + (random.nextInt(20) == 0 ? 20 * run : run));
        Arrays.fill(values, at, end, (char) random.nextInt(1 << width));
        at = end;
      }
      assertThat(decoded(values, width)).as("-Dseed=" + seed).isEqualTo(values);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 15, 16, 17, 504, 505, 20_000})
  void oneRunIsItsLengthAndItsValue(int count) throws IOException {
    char[] values = new char[count];
    Arrays.fill(values, (char) 5);

    assertThat(decoded(values, 3)).isEqualTo(values);
    assertThat(encoded(values, 3).length()).isLessThanOrEqualTo(4);
  }

  @Test
  void sevenEqualValuesArePackedAndEightAreARun() {
    char[] values = new char[16];
    Arrays.fill(values, 0, 7, (char) 1);

    assertThat(bytes(encoded(Arrays.copyOf(values, 7), 1))).containsExactly(3, 0x7F);
    assertThat(bytes(encoded(Arrays.copyOfRange(values, 8, 16), 1))).containsExactly(16, 0);
    assertThat(bytes(encoded(values, 1))).containsExactly(3, 0x7F, 16, 0);
  }

  @Test
  void codesOfADictionaryOfOneValueTakeNoBits() {
    assertThat(bytes(encoded(new char[100], 0))).containsExactly(0xC8, 1);
    assertThat(bytes(encoded(new char[3], 0))).containsExactly(3);
  }

  @Test
  void noValuesTakeNoBytes() {
    assertThat(encoded(new char[0], 4).length()).isZero();
  }

  @Test
  void levelsComeBack() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      char[] values = new char[1 + random.nextInt(300)];
      for (int at = 0; at < values.length; ) {
        int end = Math.min(values.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 90));
        Arrays.fill(values, at, end, (char) random.nextInt(2));
        at = end;
      }
      byte[] bits = new byte[(values.length + 7) / 8 + random.nextInt(3)];
      for (int i = 0; i < values.length; i++) {
        bits[i / 8] |= (byte) (values[i] << (i % 8));
      }
      PageBytes out = new PageBytes(1024);
      out.putByte(42);
      HybridRuns.putLevels(bits, values.length, out);

      assertThat((int) PageBytes.INT.get(out.array(), 1)).isEqualTo(out.length() - 5);
      assertThat(decoded(out, 5, values.length, 1)).as("-Dseed=" + seed).isEqualTo(values);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 20_000})
  void levelsThatAreAllTheSameAreOneRun(int count) {
    byte[] ones = new byte[(count + 7) / 8];
    for (int i = 0; i < count; i++) {
      ones[i / 8] |= (byte) (1 << (i % 8));
    }
    PageBytes out = new PageBytes(1024);
    HybridRuns.putLevels(ones, count, out);
    HybridRuns.putLevels(new byte[(count + 7) / 8], count, out);

    int length = count < 64 ? 6 : 8;
    assertThat(out.length()).isEqualTo(2 * length);
    assertThat(out.array()[length - 1]).isEqualTo((byte) 1);
    assertThat(out.array()[2 * length - 1]).isZero();
  }

  private static PageBytes encoded(char[] values, int width) {
    PageBytes out = new PageBytes(1024);
    HybridRuns.put(values, 0, values.length, width, out);
    return out;
  }

  private static int[] bytes(PageBytes bytes) {
    int[] unsigned = new int[bytes.length()];
    for (int i = 0; i < unsigned.length; i++) {
      unsigned[i] = bytes.array()[i] & 0xFF;
    }
    return unsigned;
  }

  private static char[] decoded(char[] values, int width) throws IOException {
    return decoded(encoded(values, width), 0, values.length, width);
  }

  private static char[] decoded(PageBytes bytes, int from, int count, int width)
      throws IOException {
    RunLengthBitPackingHybridDecoder decoder =
        new RunLengthBitPackingHybridDecoder(
            width, new ByteArrayInputStream(bytes.array(), from, bytes.length() - from));
    char[] values = new char[count];
    for (int i = 0; i < count; i++) {
      values[i] = (char) decoder.readInt();
    }
    return values;
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Values as words: what stands behind a value counts for nothing, each of its own bytes does. */
class WordsTest {

  private static final int MOST = 100;

  private final Random random = new Random(1);

  @Test
  void eachByteCountsAndNoneBehind() {
    for (int length = 0; length <= MOST; length++) {
      byte[] x = bytes();
      byte[] y = bytes();
      System.arraycopy(x, 3, y, 7, length);
      assertThat(Words.areEqual(x, 3, y, 7, length)).as("length %d", length).isTrue();
      assertThat(Words.hash(x, 3, length)).isEqualTo(Words.hash(y, 7, length));
      for (int i = 0; i < length; i++) {
        y[7 + i]++;
        assertThat(Words.areEqual(x, 3, y, 7, length)).as("byte %d of %d", i, length).isFalse();
        assertThat(Words.hash(x, 3, length)).isNotEqualTo(Words.hash(y, 7, length));
        y[7 + i]--;
      }
    }
  }

  @Test
  void theHighestBitsOfHashesTellSimilarValuesApart() {
    Set<Long> ofNumbers = new HashSet<>();
    Set<Long> ofLengths = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      ofNumbers.add(Words.hash((long) i << 53) >>> 48);
      ofLengths.add(Words.hash(new byte[1_008], 0, i) >>> 48);
    }
    assertThat(ofNumbers).hasSizeGreaterThan(900);
    assertThat(ofLengths).hasSizeGreaterThan(900);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[MOST + 2 * PageBytes.SLACK];
    random.nextBytes(bytes);
    return bytes;
  }
}

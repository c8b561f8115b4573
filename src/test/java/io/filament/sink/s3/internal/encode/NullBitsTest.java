package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which values are null, read many at a time. */
class NullBitsTest {

  @Test
  void presentValuesAreFoundFromEveryPlace() {
    Random random = new Random(1);
    NullBits bits = new NullBits();
    BitSet expected = new BitSet();
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(3) == 0) {
        bits.set(i);
        expected.set(i);
      }
    }
    for (int from = 0; from < 400; from++) {
      int to = from + random.nextInt(130);
      long present = bits.present(from, to);
      int count = 0;
      for (int i = from; i < to; i++) {
        assertThat(bits.get(i)).isEqualTo(expected.get(i));
        count += expected.get(i) ? 0 : 1;
        if (i - from < Long.SIZE) {
          assertThat((present >>> (i - from) & 1) == 0).isEqualTo(expected.get(i));
        }
      }
      assertThat(bits.countPresent(from, to)).isEqualTo(count);
      assertThat(to - from >= Long.SIZE || present >>> (to - from) == 0).isTrue();
    }
  }

  @Test
  void clearedBitsStayCleared() {
    NullBits bits = new NullBits();
    bits.set(5);
    bits.set(64);
    bits.set(200);
    bits.clearFrom(64);
    assertThat(bits.get(5)).isTrue();
    assertThat(bits.get(64)).isFalse();
    assertThat(bits.isEmpty()).isFalse();
    bits.set(190);
    assertThat(bits.get(200)).isFalse();
    bits.clearFrom(5);
    assertThat(bits.isEmpty()).isTrue();
    assertThat(bits.present(0, 64)).isEqualTo(-1L);
  }
}

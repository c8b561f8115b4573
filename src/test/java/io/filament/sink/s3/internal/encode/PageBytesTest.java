package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PageBytesTest {

  @Test
  void growthIsWhatTheRoomTakes() {
    Random random = new Random(1);
    for (int round = 0; round < 20; round++) {
      PageBytes bytes = new PageBytes(OpenPage.MAX_BYTES);
      int most = 1 << (8 + random.nextInt(10));
      while (bytes.length() < 2 * OpenPage.MAX_BYTES) {
        int count = 1 + random.nextInt(most);
        long expected = bytes.array().length + bytes.growth(count);

        bytes.room(count);
        bytes.length(bytes.length() + count);

        assertThat((long) bytes.array().length).isEqualTo(expected);
      }
    }
  }
}

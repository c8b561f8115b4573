package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DeflatedBytesTest {

  @Test
  void whatWasWrittenIsRead() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    DeflatedBytes deflated = new DeflatedBytes();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();

    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 200_000 : 3_000)];
      random.nextBytes(bytes);
      int offset = random.nextInt(bytes.length + 1);
      deflated.write(bytes, offset, bytes.length - offset);
      deflated.write(i);
      expected.write(bytes, offset, bytes.length - offset);
      expected.write(i);
    }

    assertThat(deflated.read().readAllBytes())
        .as("-Dseed=" + seed)
        .isEqualTo(expected.toByteArray());
  }

  @Test
  void nothingIsReadWhereNothingWasWritten() throws IOException {
    assertThat(new DeflatedBytes().read().readAllBytes()).isEmpty();
  }

  @Test
  void manyAlikeTakeLittleMemory() throws IOException {
    DeflatedBytes deflated = new DeflatedBytes();
    byte[] bytes = "the same words again and again ".repeat(40).getBytes(StandardCharsets.US_ASCII);

    for (int i = 0; i < 10_000; i++) {
      deflated.write(bytes);
    }

    assertThat(deflated.allocated()).isLessThan(10_000L * bytes.length / 20);
  }

  @Test
  void fewTakeNoMoreThanTheyAre() throws IOException {
    DeflatedBytes deflated = new DeflatedBytes();

    deflated.write(new byte[1_000]);

    assertThat(deflated.allocated()).isBetween(1_000L, 2_000L);
    assertThat(new DeflatedBytes().allocated()).isZero();
  }
}

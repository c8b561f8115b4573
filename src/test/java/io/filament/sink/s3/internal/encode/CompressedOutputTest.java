package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams that are compressed as a whole. */
class CompressedOutputTest {

  /** The two compressors. */
  enum Kind {
    GZIP(Compression.GZIP, GzipOutput.BLOCK_BYTES),
    ZSTD(Compression.ZSTD, ZstdOutput.BLOCK_BYTES);

    private final Compression compression;
    private final int blockBytes;

    Kind(Compression compression, int blockBytes) {
      this.compression = compression;
      this.blockBytes = blockBytes;
    }

    CompressedOutput to(LimitedOutput out) throws IOException {
      return to(out, EncodeThreads.of(1), ResourceMemory.unbounded());
    }

    CompressedOutput to(LimitedOutput out, EncodeThreads threads, ResourceMemory memory)
        throws IOException {
      return this == GZIP
          ? new GzipOutput(out, threads, memory)
          : ZstdOutput.to(out, threads, memory);
    }

    byte[] decompressed(byte[] stream) {
      return Encoding.decompressed(new ObjectFormat(FileFormat.NDJSON, compression), stream);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everySizeIsReadBack(Kind kind) throws IOException {
    int block = kind.blockBytes;
    for (int size : new int[] {0, 1, 100, block - 1, block, block + 1, 2 * block, 1_000_000}) {
      byte[] noise = noise(size);
      assertThat(kind.decompressed(compressed(kind, noise))).as("noise %d", size).isEqualTo(noise);
      byte[] zeros = new byte[size];
      assertThat(kind.decompressed(compressed(kind, zeros))).as("zeros %d", size).isEqualTo(zeros);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theBytesDoNotDependOnHowTheyCome(Kind kind) throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] text = new byte[1_000_000];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) "abcdefgh".charAt(random.nextInt(1 + i % 8));
    }
    byte[] expected = compressed(kind, text);
    assertThat(expected.length).isLessThan(text.length / 2);
    for (int round = 0; round < 5; round++) {
      LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
      try (CompressedOutput stream = kind.to(out)) {
        for (int from = 0; from < text.length; ) {
          int count = Math.min(text.length - from, random.nextInt(1 << (1 + random.nextInt(18))));
          stream.write(text, from, count);
          from += count;
          if (from < text.length && random.nextBoolean()) {
            stream.write(text[from++]);
          }
          stream.flush();
        }
        stream.finish();
      }
      assertThat(out.toByteArray()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aFailureInTheTrailerReachesTheCaller(Kind kind) throws IOException {
    byte[] bytes = noise(1_000);
    int size = compressed(kind, bytes).length;
    for (int missing : new int[] {1, 4, 8}) {
      LimitedOutput out = new LimitedOutput(size - missing);
      try (CompressedOutput stream = kind.to(out)) {
        stream.write(bytes);
        assertThatThrownBy(stream::finish)
            .isInstanceOf(IOException.class)
            .hasMessage(LimitedOutput.FAILURE);
      }
    }
  }

  /** Also where the text that has come since is too little to pay. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void aCutWritesWhatOtherThreadsCompress(Kind kind) throws IOException {
    EncodeThreads threads = EncodeThreads.of(2);
    RunMemory run = new RunMemory(64 << 20, 0, System::nanoTime);
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    byte[] bytes = noise(kind.blockBytes + 1);
    try (CompressedOutput stream = kind.to(out, threads, run.open(() -> "a", 0, 0))) {
      stream.write(bytes);
      long held = run.heldBytes();
      long cuttable = stream.cuttableBytes();
      assertThat(cuttable).isGreaterThan(kind.blockBytes);
      assertThat(out.toByteArray()).isEmpty();

      stream.cut();

      assertThat(stream.cuttableBytes()).isZero();
      assertThat(run.heldBytes()).isEqualTo(held - cuttable);
      assertThat(out.toByteArray()).isNotEmpty();
      stream.finish();
    }
    assertThat(kind.decompressed(out.toByteArray())).isEqualTo(bytes);
    assertThat(run.heldBytes()).isZero();
    threads.end();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aCutKeepsNoRoomForMoreThanIsThere(Kind kind) throws IOException {
    EncodeThreads threads = EncodeThreads.of(1);
    RunMemory run = new RunMemory(64 << 20, 0, System::nanoTime);
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    byte[] bytes = noise(2 * kind.blockBytes);
    int rest = 5_000;
    int before = kind.blockBytes + rest;
    try (CompressedOutput stream = kind.to(out, threads, run.open(() -> "a", 0, 0))) {
      stream.write(bytes, 0, before);
      long held = run.heldBytes();
      assertThat(stream.cuttableBytes()).isEqualTo(kind.blockBytes - rest);

      stream.cut();

      assertThat(run.heldBytes()).isEqualTo(held - kind.blockBytes + rest);
      assertThat(stream.cuttableBytes()).isZero();
      stream.write(bytes, before, bytes.length - before);
      stream.finish();
    }
    assertThat(kind.decompressed(out.toByteArray())).isEqualTo(bytes);
    threads.end();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void closeWithoutFinishWritesNothing(Kind kind) throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    CompressedOutput stream = kind.to(out);
    stream.write(noise(200_000));
    byte[] before = out.toByteArray();
    stream.close();
    stream.close();
    assertThat(out.toByteArray()).isEqualTo(before);
    assertThat(out.isClosed()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void afterItsEndAStreamTakesNothing(Kind kind) throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    try (CompressedOutput stream = kind.to(out)) {
      stream.finish();
      byte[] before = out.toByteArray();
      assertThatThrownBy(() -> stream.write(1))
          .isInstanceOf(IOException.class)
          .hasMessage("the compressed stream has ended");
      assertThatThrownBy(stream::finish)
          .isInstanceOf(IOException.class)
          .hasMessage("the compressed stream has ended");
      assertThat(out.toByteArray()).isEqualTo(before);
    }
  }

  @Test
  void theHeaderOfGzipHasNoTimeAndNoSystem() throws IOException {
    assertThat(Arrays.copyOf(compressed(Kind.GZIP, noise(10)), 10))
        .isEqualTo(new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 0xFF});
  }

  @Test
  void theFrameOfZstdHasAChecksum() throws IOException {
    byte[] stream = compressed(Kind.ZSTD, noise(10));
    assertThat(Arrays.copyOf(stream, 4))
        .isEqualTo(new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD});
    stream[stream.length - 1] ^= 1;
    assertThatThrownBy(() -> Kind.ZSTD.decompressed(stream)).hasMessageContaining("checksum");
  }

  private static byte[] compressed(Kind kind, byte[] bytes) throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    try (CompressedOutput stream = kind.to(out)) {
      stream.write(bytes);
      stream.finish();
    }
    return out.toByteArray();
  }

  private static byte[] noise(int size) {
    byte[] noise = new byte[size];
    new Random(size).nextBytes(noise);
    return noise;
  }
}

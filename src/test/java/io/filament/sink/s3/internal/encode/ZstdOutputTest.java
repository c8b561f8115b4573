package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One frame, and the thread that compresses beside the one that writes. */
@Timeout(60)
class ZstdOutputTest {

  private static final int BLOCK = ZstdOutput.BLOCK_BYTES;

  /** What {@link EncodeThreads} of two take at once. */
  private static final int PLACES = 4;

  private final EncodeThreads threads = EncodeThreads.of(2);
  private final RunMemory run = new RunMemory(64 << 20, 0, System::nanoTime);
  private final ResourceMemory memory = run.open(() -> "a", 0, 0);
  private final LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void end() {
    release.countDown();
    threads.end();
  }

  @Test
  void theFrameIsTheOneThatZstdMakesOfAllAtOnceWhateverTheThreads() throws Exception {
    for (int size : new int[] {0, 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1, 20 * BLOCK + 77}) {
      byte[] text = mixed(size);
      byte[] expected = frame(text);
      for (int count = 1; count <= 8; count++) {
        EncodeThreads some = EncodeThreads.of(count);
        assertThat(compressed(some, ResourceMemory.unbounded(), text))
            .as("%d bytes, %d threads", size, count)
            .isEqualTo(expected);
        some.end();
      }
    }
  }

  /** What a context keeps back of a block that this thread has compressed is gone before. */
  @Test
  void theFrameIsTheSameWhicheverThreadCompressesABlock() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    byte[] text = mixed(40 * BLOCK + 5);
    try (ZstdOutput stream = ZstdOutput.to(out, threads, memory)) {
      stream.write(text, 0, BLOCK + 1);
      for (int from = BLOCK + 1; from < text.length; ) {
        stream.cut();
        long rest = run.limitBytes() - run.heldBytes() - BLOCK;
        long others = random.nextBoolean() ? rest : 0;
        memory.reserve(others);
        int count = Math.min(text.length - from, random.nextInt(3 * BLOCK));
        stream.write(text, from, count);
        from += count;
        memory.release(others);
      }
      stream.finish();
    }
    assertThat(out.toByteArray()).as("seed %d", seed).isEqualTo(frame(text));
    assertThat(run.heldBytes()).isZero();
  }

  @Test
  void aBlockIsCompressedBesideTheNextOne() throws Exception {
    ZstdContext context = new ZstdContext();
    try (ZstdOutput stream = new ZstdOutput(out, threads, memory, context)) {
      stream.write(mixed(BLOCK + 1));
      assertThat(stream.begunBytes()).isEqualTo(run.heldBytes() - ZstdOutput.FULL_BYTES);
      stream.writeBegun();
      assertThat(stream.begunBytes()).isZero();
    }
    assertThat(context.callers).hasSize(1).allMatch(name -> name.startsWith("filament-s3-encode-"));
  }

  @Test
  void oneBlockOfAStreamIsGivenAwayAtATime() throws Exception {
    try (ZstdOutput stream = ZstdOutput.to(out, threads, memory)) {
      stream.write(mixed(7 * BLOCK));
      assertThat(freePlaces()).isEqualTo(PLACES - 1);
    }
  }

  @Test
  void whatNoThreadHasBegunIsCompressedByTheWriter() throws Exception {
    occupyThreads();
    byte[] text = mixed(5 * BLOCK);
    try (ZstdOutput stream = ZstdOutput.to(out, threads, memory)) {
      stream.write(text);
      stream.finish();
    }
    assertThat(out.toByteArray()).isEqualTo(frame(text));
  }

  @Test
  void withoutMemoryForASecondBlockTheWriterCompresses() throws Exception {
    byte[] text = mixed(5 * BLOCK);
    RunMemory little = new RunMemory(ZstdOutput.FULL_BYTES + 2 * BLOCK, 0, System::nanoTime);
    ResourceMemory its = little.open(() -> "a", 0, 0);
    assertThat(compressed(threads, its, text)).isEqualTo(frame(text));
    assertThat(little.peakBytes()).isEqualTo(ZstdOutput.FULL_BYTES);
    assertThat(little.heldBytes()).isZero();
  }

  @Test
  void closeWaitsForTheThreadThatIsInTheContext() throws Exception {
    ZstdContext context = new ZstdContext();
    context.gate = release;
    ZstdOutput stream = new ZstdOutput(out, threads, memory, context);
    stream.write(mixed(BLOCK + 1));
    context.isIn.await();

    Thread closer = new Thread(stream::close);
    closer.start();
    while (closer.getState() != Thread.State.BLOCKED) {
      assertThat(closer.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    assertThat(context.isClosed).isFalse();
    assertThat(run.heldBytes()).isPositive();
    release.countDown();
    closer.join();

    assertThat(context.isClosed).isTrue();
    assertThat(run.heldBytes()).isZero();
    assertThat(out.toByteArray()).isEmpty();
  }

  @Test
  void closeGivesUpWhatNoThreadHasBegun() throws Exception {
    occupyThreads();
    ZstdContext context = new ZstdContext();
    ZstdOutput stream = new ZstdOutput(out, threads, memory, context);
    stream.write(mixed(BLOCK + 1));
    stream.close();
    stream.close();
    assertThat(run.heldBytes()).isZero();
    release.countDown();
    threads.end();
    assertThat(context.callers).isEmpty();
  }

  /** With the real context: one that is closed while a thread is in it refuses, or crashes. */
  @Test
  void aStreamMayBeClosedAtAnyTime() throws Exception {
    Random random = new Random(1);
    byte[] text = mixed(4 * BLOCK);
    for (int i = 0; i < 300; i++) {
      ZstdOutput stream = ZstdOutput.to(out, threads, memory);
      stream.write(text, 0, BLOCK + random.nextInt(3 * BLOCK));
      stream.close();
      assertThat(run.heldBytes()).isZero();
      assertThat(freePlaces()).isEqualTo(PLACES);
    }
  }

  @Test
  void aFailureOfTheOtherThreadReachesTheWriter() throws Exception {
    ZstdContext context = new ZstdContext();
    context.failure = new IllegalStateException("no memory for the tables");
    ZstdOutput stream = new ZstdOutput(out, threads, memory, context);
    stream.write(mixed(BLOCK + 1));
    assertThatThrownBy(stream::finish).isSameAs(context.failure);
    stream.close();
    assertThat(freePlaces()).isEqualTo(PLACES);
    assertThat(run.heldBytes()).isZero();
  }

  @Test
  void aRunThatIsAbortedEndsTheWaitForABlock() throws Exception {
    occupyThreads();
    ZstdContext context = new ZstdContext();
    ZstdOutput stream = new ZstdOutput(out, threads, memory, context);
    stream.write(mixed(BLOCK + 1));
    threads.end(); // it interrupts those that are occupied
    assertThatThrownBy(stream::finish)
        .isInstanceOf(SinkException.class)
        .hasMessage("the run was aborted");
    stream.close();
    assertThat(run.heldBytes()).isZero();
  }

  /** The context stays the other thread's until that one leaves it. */
  @Test
  void anInterruptEndsTheWaitForABlock() throws Exception {
    ZstdContext context = new ZstdContext();
    context.gate = release;
    ZstdOutput stream = new ZstdOutput(out, threads, memory, context);
    byte[] text = mixed(BLOCK + 1);
    stream.write(text);
    context.isIn.await();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> stream.write(text)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    release.countDown();
    stream.close();
    assertThat(context.callers).hasSize(1);
    assertThat(run.heldBytes()).isZero();
  }

  @Test
  void aFailureOfTheStreamBelowGivesThePlaceBack() throws Exception {
    ZstdOutput stream = ZstdOutput.to(new LimitedOutput(100), threads, memory);
    assertThatThrownBy(() -> stream.write(mixed(4 * BLOCK)))
        .isInstanceOf(IOException.class)
        .hasMessage(LimitedOutput.FAILURE);
    stream.close();
    assertThat(freePlaces()).isEqualTo(PLACES);
  }

  private void occupyThreads() throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      threads.tryBegin(
          () -> {
            begun.countDown();
            release.await();
            return null;
          });
    }
    begun.await();
  }

  /** Returns how many places are free, and takes none. */
  private int freePlaces() throws SinkException {
    List<EncodeThreads.Work<Integer>> taken = new ArrayList<>();
    EncodeThreads.Work<Integer> next = threads.tryBegin(() -> 0);
    while (next != null) {
      taken.add(next);
      next = threads.tryBegin(() -> 0);
    }
    taken.forEach(EncodeThreads.Work::drop);
    return taken.size();
  }

  private static byte[] compressed(EncodeThreads threads, ResourceMemory memory, byte[] text)
      throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    try (ZstdOutput stream = ZstdOutput.to(out, threads, memory)) {
      stream.write(text);
      stream.finish();
    }
    return out.toByteArray();
  }

  /** Returns what zstd makes of a text that it gets in one piece, with room for all of it. */
  private static byte[] frame(byte[] text) {
    ByteBuffer frame = ByteBuffer.allocate(2 * text.length + 1000);
    try (ZstdCompressCtx context = new ZstdCompressCtx().setLevel(3).setChecksum(true)) {
      if (text.length > 0) { // else the header would not have the size
        ByteBuffer input = ByteBuffer.wrap(text);
        assertThat(context.compressByteBufferStream(frame, input, EndDirective.CONTINUE)).isTrue();
      }
      ByteBuffer nothing = ByteBuffer.allocate(0);
      assertThat(context.compressByteBufferStream(frame, nothing, EndDirective.END)).isTrue();
    }
    return Arrays.copyOf(frame.array(), frame.position());
  }

  /** Returns text, in which there is a block of noise now and then. */
  private static byte[] mixed(int size) {
    Random random = new Random(size);
    byte[] text = new byte[size];
    for (int i = 0; i < size; i++) {
      boolean isNoise = i / BLOCK % 5 == 2;
      text[i] =
          (byte) (isNoise ? random.nextInt(256) : "abcdefgh".charAt(random.nextInt(1 + i % 8)));
    }
    return text;
  }
}

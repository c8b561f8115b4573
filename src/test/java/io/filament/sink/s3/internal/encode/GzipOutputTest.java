package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members, and the threads that make them. */
class GzipOutputTest {

  private static final int BLOCK = GzipOutput.BLOCK_BYTES;

  @Test
  void theBytesDoNotDependOnTheNumberOfThreads() throws Exception {
    byte[] text = text(5 * BLOCK + 12_345);
    byte[] expected = compressed(EncodeThreads.of(1), text);
    assertThat(decompressed(expected)).isEqualTo(text);
    for (int count : new int[] {2, 3, 8}) {
      EncodeThreads threads = EncodeThreads.of(count);
      assertThat(compressed(threads, text)).as("%d threads", count).isEqualTo(expected);
      threads.end();
    }
  }

  @Test
  void membersAreCutByTheContentAlone() throws Exception {
    assertThat(memberSizes(new byte[0])).containsExactly(0);
    assertThat(memberSizes(text(1))).containsExactly(1);
    assertThat(memberSizes(text(BLOCK))).containsExactly(BLOCK);
    assertThat(memberSizes(text(BLOCK + 1))).containsExactly(BLOCK, 1);
    assertThat(memberSizes(text(2 * BLOCK))).containsExactly(BLOCK, BLOCK);
  }

  @Test
  void anotherEngineReadsAllMembers(@TempDir Path folder) throws Exception {
    StringBuilder lines = new StringBuilder();
    int count = 0;
    for (; lines.length() < 3 * BLOCK; count++) {
      lines
          .append("{\"id\":")
          .append(count)
          .append(",\"name\":\"line ")
          .append(count)
          .append("\"}\n");
    }
    Path file = folder.resolve("lines.ndjson.gz");
    byte[] text = lines.toString().getBytes(StandardCharsets.US_ASCII);
    Files.write(file, compressed(EncodeThreads.of(1), text));
    assertThat(sumInDuckDb(file)).isEqualTo((count - 1L) * count / 2);
  }

  @Test
  void anObjectOfOneMemberStartsNoThread() throws Exception {
    try (OwnGroup group = new OwnGroup()) {
      group.run(() -> compressed(EncodeThreads.of(4), text(BLOCK)));
      assertThat(group.living()).isEmpty();
    }
  }

  @Test
  void theEndLeavesNoThread() throws Exception {
    try (OwnGroup group = new OwnGroup()) {
      group.run(
          () -> {
            EncodeThreads threads = EncodeThreads.of(3);
            compressed(threads, text(3 * BLOCK));
            assertThat(group.living()).isNotEmpty();
            threads.end();
          });
      for (Thread thread : group.living()) {
        thread.join(10_000); // it may be in its last steps
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }

  @Test
  void aStreamThatIsGivenUpGivesItsPlacesBack() throws Exception {
    EncodeThreads threads = EncodeThreads.of(2);
    byte[] text = text(4 * BLOCK + 1);
    GzipOutput given =
        new GzipOutput(new LimitedOutput(Long.MAX_VALUE), threads, ResourceMemory.unbounded());
    given.write(text);
    given.close();
    LimitedOutput failing = new LimitedOutput(100);
    GzipOutput failed = new GzipOutput(failing, threads, ResourceMemory.unbounded());
    assertThatThrownBy(
            () -> {
              failed.write(text);
              failed.finish();
            })
        .isInstanceOf(IOException.class)
        .hasMessage(LimitedOutput.FAILURE);
    failed.close();
    for (int i = 0; i < 4; i++) {
      assertThat(threads.tryBegin(() -> 1)).as("place %d", i).isNotNull();
    }
    threads.end();
  }

  /** Two streams share few places: each goes on alone where the other has them. */
  @Test
  void streamsThatShareThreadsDoNotWaitForEachOther() throws Exception {
    EncodeThreads threads = EncodeThreads.of(2);
    byte[] text = text(8 * BLOCK);
    LimitedOutput first = new LimitedOutput(Long.MAX_VALUE);
    LimitedOutput second = new LimitedOutput(Long.MAX_VALUE);
    try (GzipOutput one = new GzipOutput(first, threads, ResourceMemory.unbounded());
        GzipOutput other = new GzipOutput(second, threads, ResourceMemory.unbounded())) {
      one.write(text);
      other.write(text);
      other.finish();
      one.finish();
    }
    assertThat(first.toByteArray()).isEqualTo(second.toByteArray());
    assertThat(decompressed(first.toByteArray())).isEqualTo(text);
    threads.end();
  }

  @Test
  void aBlockWithoutRoomForWhatItBecomesIsGivenUp() throws Exception {
    long limit = BLOCK * 11L / 5;
    assertThat(peakOfAll(text(5 * BLOCK), EncodeThreads.of(1), limit)).isGreaterThan(2 * BLOCK);
  }

  @Test
  void aBlockThatCannotGrowIsGivenUp() throws Exception {
    assertThat(peakOfAll(text(BLOCK), EncodeThreads.of(1), 600 << 10)).isGreaterThan(300 << 10);
  }

  @Test
  void whatAnotherThreadHasCompressedTakesThePlaceOfItsBlock() throws Exception {
    EncodeThreads threads = EncodeThreads.of(2);
    long limit = BLOCK * 13L / 5;
    assertThat(peakOfAll(text(3 * BLOCK), threads, limit)).isGreaterThanOrEqualTo(BLOCK * 5L / 2);
    threads.end();
  }

  /** Compresses into an object that stays in memory, and returns the most that was held. */
  private static long peakOfAll(byte[] text, EncodeThreads threads, long limit) throws IOException {
    RunMemory run = new RunMemory(limit, 0, System::nanoTime);
    ResourceMemory memory = run.open(() -> "a", 0, 0);
    memory.enter();
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
          }

          @Override
          public void write(byte[] source, int offset, int count) throws IOException {
            memory.reserveForOutput(count);
            kept.write(source, offset, count);
          }
        };
    try (GzipOutput stream = new GzipOutput(out, threads, memory)) {
      stream.write(text);
      memory.beginWritingOut();
      stream.finish();
      memory.endWritingOut();
    }
    memory.leave();
    assertThat(decompressed(kept.toByteArray())).isEqualTo(text);
    assertThat(run.heldBytes()).isEqualTo(kept.size());
    return run.peakBytes();
  }

  private static byte[] compressed(EncodeThreads threads, byte[] text) throws IOException {
    LimitedOutput out = new LimitedOutput(Long.MAX_VALUE);
    try (GzipOutput stream = new GzipOutput(out, threads, ResourceMemory.unbounded())) {
      stream.write(text);
      stream.finish();
    }
    return out.toByteArray();
  }

  private static byte[] decompressed(byte[] stream) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(stream))) {
      return in.readAllBytes();
    }
  }

  /** Returns the sizes of the members' contents. */
  private static List<Integer> memberSizes(byte[] text) throws Exception {
    byte[] stream = compressed(EncodeThreads.of(1), text);
    List<Integer> sizes = new ArrayList<>();
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int at = 0; at < stream.length; ) {
      assertThat(Arrays.copyOfRange(stream, at, at + 10))
          .isEqualTo(new byte[] {0x1F, (byte) 0x8B, 8, 0, 0, 0, 0, 0, 0, (byte) 0xFF});
      Inflater inflater = new Inflater(true);
      inflater.setInput(stream, at + 10, stream.length - at - 10);
      byte[] buffer = new byte[BLOCK];
      while (!inflater.finished()) {
        content.write(buffer, 0, inflater.inflate(buffer));
      }
      sizes.add((int) inflater.getBytesWritten());
      at += 10 + (int) inflater.getBytesRead() + 8;
      inflater.end();
    }
    assertThat(content.toByteArray()).isEqualTo(text);
    return sizes;
  }

  private static long sumInDuckDb(Path file) throws SQLException {
    String query =
        "SELECT sum(id)::BIGINT FROM read_json('" + file + "', format = 'newline_delimited')";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getLong(1);
    }
  }

  private static byte[] text(int size) {
    Random random = new Random(size);
    byte[] text = new byte[size];
    for (int i = 0; i < size; i++) {
      text[i] = (byte) "abcdefgh".charAt(random.nextInt(1 + i % 8));
    }
    return text;
  }

  /** Work in a group of threads of its own, which tells what threads it has started. */
  private static final class OwnGroup implements AutoCloseable {

    private final ThreadGroup group = new ThreadGroup("own");

    interface Body {

      void run() throws Exception;
    }

    void run(Body body) throws Exception {
      Throwable[] thrown = new Throwable[1];
      Thread thread =
          new Thread(
              group,
              () -> {
                try {
                  body.run();
                } catch (Throwable e) {
                  thrown[0] = e;
                }
              },
              "body");
      thread.start();
      thread.join();
      if (thrown[0] != null) {
        throw new AssertionError(thrown[0]);
      }
    }

    /** Returns the threads that live, apart from the body's own. */
    List<Thread> living() {
      Thread[] all = new Thread[16];
      int count = group.enumerate(all);
      List<Thread> living = new ArrayList<>();
      for (Thread thread : Arrays.copyOf(all, count)) {
        if (!thread.getName().equals("body")) {
          living.add(thread);
        }
      }
      return living;
    }

    @Override
    public void close() {
      group.interrupt();
    }
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.filament.sink.Compression;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both threads are at other work, so that pages wait until the caller needs them. */
@Timeout(60)
final class PagesBesideTest {

  private static final int SMALL = 10_000;
  private static final int LARGE = 100_000;
  private static final int LIMIT = 64 << 20;

  private final RunMemory run = new RunMemory(LIMIT, 0, () -> 0);
  private final Workspaces workspaces = new Workspaces(run);
  private final EncodeThreads threads = EncodeThreads.of(2);
  private final CountDownLatch release = new CountDownLatch(1);

  /** The first byte of each page that was written, and what else was done. */
  private final List<String> written = new ArrayList<>();

  private ChunkWorkspace workspace;
  private PagesBeside pages;

  @BeforeEach
  void open() throws Exception {
    CountDownLatch atWork = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      threads.tryBegin(
          () -> {
            atWork.countDown();
            release.await();
            return 0;
          });
    }
    atWork.await();
    workspace = new ChunkWorkspace(workspaces, Compression.ZSTD, ResourceMemory.unbounded());
    workspace.borrow();
    pages = new PagesBeside(file(), workspace, threads);
  }

  @AfterEach
  void nothingIsHeldInTheEnd() {
    pages.close();
    workspace.giveBack();
    release.countDown();
    threads.end();
    workspaces.close();
    assertThat(run.heldBytes()).isZero();
  }

  @Test
  void allIsWrittenInItsOrder() throws IOException {
    pages.then(file -> written.add("start"));
    assertThat(written).containsExactly("start");
    put('a', LARGE);
    put('b', SMALL);
    pages.put(kept('c'));
    pages.then(file -> written.add("end"));
    pages.atLast(() -> written.add("given back"));
    put('d', LARGE);
    assertThat(written).hasSize(1);

    pages.writeAll();

    assertThat(written).containsExactly("start", "a", "b", "c", "end", "given back", "d");
  }

  @Test
  void withoutAPlaceTheOldestPageIsWrittenFirst() throws IOException {
    put('a', LARGE);
    put('b', LARGE);
    assertThat(written).isEmpty();

    put('c', LARGE);

    assertThat(written).containsExactly("a");
  }

  @Test
  void aCopiedPageMayBeFilledAgainAtOnce() throws IOException {
    PageBytes content = new PageBytes(LARGE);
    fill(content, 'a', LARGE);
    pages.putCopied(content, page());
    content.clear();
    fill(content, 'b', LARGE);
    pages.putCopied(content, page());

    pages.writeAll();

    assertThat(written).containsExactly("a", "b");
  }

  /** The page comes into the buffer that all pages share, and memory is there again then. */
  @Test
  void aPageWithoutToolsIsCompressedBeforeTheNextOneIsThere() throws IOException {
    assertThat(run.tryHold(LIMIT / 4 * 3)).isTrue();
    PageBytes content = pages.buffer(LARGE);
    fill(content, 'a', LARGE);
    run.letGo(LIMIT / 4 * 3);
    pages.put(content, page());
    fill(pages.buffer(SMALL), 'b', SMALL);

    pages.writeAll();

    assertThat(written).containsExactly("a");
  }

  @Test
  void smallPagesDoNotWaitInAnyNumber() throws IOException {
    put('a', LARGE);
    for (int i = 0; i < 10; i++) {
      put('b', SMALL);
    }
    assertThat(written).isEmpty();

    for (int i = 0; i < 10; i++) {
      put('c', SMALL);
    }

    assertThat(written).startsWith("a", "b");
  }

  @Test
  void aPageOfAnySizeHasMemoryHeld() throws IOException {
    put('a', 4 << 20);

    assertThat(run.heldBytes()).isGreaterThan(9 << 20);
    pages.writeAll();
    assertThat(written).containsExactly("a");
    assertThat(run.heldBytes()).isZero();
  }

  @Test
  void aPageThatCannotBeCompressedFailsTheCallerAsOnItsOwnThread() throws IOException {
    PageBytes broken = new PageBytes(LARGE);
    broken.length(LARGE); // there are no such bytes
    put('a', LARGE);
    pages.put(broken, page());
    release.countDown();

    assertThatThrownBy(pages::writeAll).isInstanceOf(IndexOutOfBoundsException.class);

    assertThat(written).containsExactly("a");
  }

  @Test
  void whatIsGivenUpIsNotWritten() throws IOException {
    put('a', LARGE);
    pages.atLast(() -> written.add("given back"));

    pages.close();

    assertThat(written).containsExactly("given back");
    assertThat(threads.tryBegin(() -> 1)).isNotNull();
    assertThat(threads.tryBegin(() -> 1)).isNotNull();
  }

  private void put(char first, int length) throws IOException {
    PageBytes content = pages.buffer(length);
    fill(content, first, length);
    pages.put(content, page());
  }

  private PageOutput.Page page() {
    return (file, length, compressed) -> {
      byte[] bytes = Zstd.decompress(bytes(compressed), length);
      byte[] expected = new byte[length];
      Arrays.fill(expected, bytes[0]);
      assertThat(bytes).isEqualTo(expected);
      written.add(Character.toString(bytes[0]));
    };
  }

  private static byte[] bytes(BytesInput compressed) throws IOException {
    return compressed.toInputStream().readAllBytes();
  }

  private KeptPages.Kept kept(char first) throws IOException {
    KeptPages kept = new KeptPages(ChunkTools.with(PageCompressor.of(Compression.ZSTD)));
    PageBytes content = kept.buffer(LARGE);
    fill(content, first, LARGE);
    kept.put(content, page());
    return kept.pages().get(0);
  }

  private static void fill(PageBytes content, char value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    content.put(bytes, 0, length);
  }

  private static ParquetFileWriter file() throws IOException {
    return new ParquetFileWriter(
        new UnclosedOutput(new ByteArrayOutputStream()),
        ParquetSchema.of(AllTypes.SCHEMA),
        ParquetFileWriter.Mode.CREATE,
        1,
        0,
        null,
        ParquetProperties.builder().build());
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.encode.LentTools.Use;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tools for other threads: of what is left of the memory, and nobody waits for them. */
@Timeout(60)
final class WorkspacesTest {

  private static final long PAGE = Use.PAGE.usualBytes();
  private static final long LIMIT = 4 * PAGE;

  private final RunMemory run = new RunMemory(LIMIT, 0, () -> 0);
  private final Workspaces workspaces = new Workspaces(run);

  @Test
  void asManyAreLentAsThreeQuartersOfTheMemoryHold() throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThat(lend(PAGE)).isNotNull();
    }
    assertThat(lend(PAGE)).isNull();
    assertThat(run.heldBytes()).isEqualTo(3 * PAGE);
  }

  @Test
  void theSameToolsAreLentAgain() throws IOException {
    LentTools lent = lend(PAGE);
    workspaces.giveBack(lent);

    assertThat(lend(PAGE)).isSameAs(lent);
    assertThat(lend(PAGE)).isNotSameAs(lent);
    assertThat(run.heldBytes()).isEqualTo(2 * PAGE);
  }

  @Test
  void keptToolsAreDroppedBeforeAnybodyIsShortOfMemory() throws IOException {
    LentTools lent = lend(PAGE);
    workspaces.giveBack(lent);
    assertThat(run.heldBytes()).isEqualTo(PAGE);

    resource().reserve(LIMIT);

    assertThat(run.heldBytes()).isEqualTo(LIMIT);
    assertThat(lend(PAGE)).isNull();
  }

  /** The second workspace takes all that is there. */
  @Test
  void keptToolsAreDroppedBeforeAnybodyWaitsForAWorkspace() throws IOException {
    ChunkTools first = workspaces.borrow(Compression.ZSTD);
    workspaces.giveBack(lend(PAGE));

    ChunkTools second = workspaces.borrow(Compression.ZSTD);

    assertThat(second).isNotSameAs(first);
    assertThat(run.heldBytes()).isEqualTo(Workspaces.BYTES);
  }

  @Test
  void nothingIsKeptWhileMemoryIsScarce() throws IOException {
    LentTools lent = lend(PAGE);
    ResourceMemory resource = resource();
    resource.reserve(LIMIT - PAGE);

    workspaces.giveBack(lent);

    assertThat(run.heldBytes()).isEqualTo(LIMIT - PAGE);
    resource.release(LIMIT - PAGE);
    assertThat(lend(PAGE)).isNotNull().isNotSameAs(lent);
  }

  @Test
  void toolsOfAnUnusualPageAreNotKept() throws IOException {
    LentTools lent = lend(PAGE + 1);
    assertThat(run.heldBytes()).isEqualTo(PAGE + 1);

    workspaces.giveBack(lent);

    assertThat(run.heldBytes()).isZero();
  }

  /** An abort closes them while other threads are still writing. */
  @Test
  void whoWaitsForAWorkspaceIsWokenByTheClose() throws Exception {
    ChunkTools inUse = workspaces.borrow(Compression.ZSTD);
    resource().reserve(LIMIT);
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                workspaces.borrow(Compression.ZSTD);
                failure.complete(null);
              } catch (Throwable e) {
                failure.complete(e);
              }
            });
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    workspaces.close();

    assertThat(failure.get()).isInstanceOf(SinkException.class).hasMessage("the run was aborted");
    workspaces.giveBack(inUse);
  }

  @Test
  void nothingIsHeldAfterTheClose() throws IOException {
    LentTools kept = lend(PAGE);
    LentTools inUse = lend(PAGE);
    workspaces.giveBack(kept);

    workspaces.close();
    assertThat(run.heldBytes()).isEqualTo(PAGE);
    workspaces.giveBack(inUse);

    assertThat(run.heldBytes()).isZero();
  }

  /** What a page of any size takes is no more than what is held for it. */
  @Test
  void whatIsHeldGrowsWithThePageAndTheColumn() {
    assertThat(LentTools.forPage(1)).isEqualTo(PAGE);
    assertThat(LentTools.forPage(OpenPage.MAX_BYTES + OpenPage.MAX_ROWS)).isEqualTo(PAGE);
    assertThat(LentTools.forPage(4 << 20)).isEqualTo(PAGE + (9 << 20));
    assertThat(LentTools.forColumn(ChunkDictionary.MAX_KEPT_CODES)).isEqualTo(Workspaces.BYTES);
    assertThat(LentTools.forColumn(4 << 20)).isEqualTo(Workspaces.BYTES + (8 << 20));
  }

  private LentTools lend(long bytes) throws IOException {
    return workspaces.tryLend(Use.PAGE, Compression.ZSTD, bytes);
  }

  private ResourceMemory resource() throws IOException {
    ResourceMemory resource = run.open(() -> "things", 0, 0);
    resource.enter();
    return resource;
  }
}

package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clean-up believes no answer that it can check, and nothing stops it half-way. */
@Timeout(30)
class UploadCleanupTest {

  private final InMemoryObjectStore memory = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1);
  private final FaultyObjectStore store = new FaultyObjectStore(memory);
  private final UploadCleanup cleanup = new UploadCleanup(store, 1);

  @Test
  void anUploadThatIsStillListedIsAbortedAgain() throws IOException {
    store.forget(Operation.ABORT, 1);

    cleanup.abort(uploads(1));

    assertThat(memory.openUploads()).isEmpty();
    assertThat(store.count(Operation.ABORT)).isEqualTo(2);
  }

  @Test
  void anUploadThatStaysListedIsNamed() throws IOException {
    store.forget(Operation.ABORT, 1).forget(Operation.ABORT, 2).forget(Operation.ABORT, 3);
    List<Upload> uploads = uploads(1);

    assertThatThrownBy(() -> cleanup.abort(uploads))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("1 of 1 uploads may still be there")
        .hasMessageContaining("upload id " + uploads.get(0).id())
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessageContaining(
                        "AbortMultipartUpload s3://bucket/p/0: the store took it and still lists upload id"));
  }

  @Test
  void storeThatCanNotBeReachedIsNotAskedForEachUpload() throws IOException {
    store.refuseFrom(Operation.ABORT, 1, Answer.NONE);
    List<Upload> uploads = uploads(50);

    assertThatThrownBy(() -> cleanup.abort(uploads))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("50 of 50 uploads may still be there")
        .hasMessageContaining("upload id " + uploads.get(49).id());

    assertThat(store.count(Operation.ABORT)).isLessThan(50);
  }

  @Test
  void aStoreThatDoesNotListIsBelieved() throws IOException {
    store.refuseFrom(Operation.UPLOADS, 1, new Answer(403, "AccessDenied", null));

    cleanup.abort(uploads(2));

    assertThat(memory.openUploads()).isEmpty();
  }

  @Test
  void anInterruptWhileAbortsWaitForTheirTurnLeavesNoUpload() throws Exception {
    FaultyObjectStore.Hang hang = store.hang(Operation.ABORT, 1);
    List<Upload> uploads = uploads(3);
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                cleanup.abort(uploads);
                flag.complete(Thread.currentThread().isInterrupted());
              } catch (IOException e) {
                flag.completeExceptionally(new CompletionException(e));
              }
            });
    thread.start();
    hang.awaitReached();
    thread.interrupt();
    hang.release();

    assertThat(flag.get()).isTrue();
    assertThat(memory.openUploads()).isEmpty();
  }

  private List<Upload> uploads(int count) throws IOException {
    List<Upload> uploads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      uploads.add(
          memory.start("p/" + i, new ObjectHeaders("text/plain", Optional.empty(), Map.of())));
    }
    return uploads;
  }
}

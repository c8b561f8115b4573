package io.filament.sink.s3;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.object.RequestEnd;
import io.filament.sink.s3.internal.object.RequestPool;
import io.filament.sink.s3.internal.object.StoreReach;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.internal.store.UploadEnd;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Aborts the unfinished uploads of one run, and only these. */
final class UploadCleanup {

  private final ObjectStore store;
  private final int limit;

  UploadCleanup(ObjectStore store, int limit) {
    this.store = store.hurried();
    this.limit = limit;
  }

  /**
   * Aborts all uploads, several at a time. An interrupt doesn't stop it half-way; the flag is set
   * again. A store that can't be reached, still after all tries, is not asked for the others.
   *
   * @throws IOException that lists each upload which may still be there
   */
  void abort(List<Upload> uploads) throws IOException {
    if (uploads.isEmpty()) {
      return;
    }
    RequestPool requests = new RequestPool(limit);
    List<String> left = new ArrayList<>();
    List<IOException> causes = new ArrayList<>();
    try {
      List<Future<@Nullable Void>> pending = submitted(requests, uploads);
      for (int i = 0; i < uploads.size(); i++) {
        String name =
            "key \"%s\", upload id %s".formatted(uploads.get(i).key(), uploads.get(i).id());
        if (i >= pending.size()) {
          left.add(name);
          continue;
        }
        try {
          RequestEnd.<@Nullable Void>uninterruptibly(pending.get(i));
        } catch (IOException e) {
          left.add(name);
          causes.add(e);
        }
      }
    } finally {
      requests.cancel();
    }
    if (!left.isEmpty()) {
      SinkException failure =
          new SinkException(
              "AbortMultipartUpload s3://%s: %d of %d uploads may still be there and cost money until a lifecycle rule expires them: %s"
                  .formatted(store.bucket(), left.size(), uploads.size(), String.join("; ", left)));
      causes.forEach(failure::addSuppressed);
      throw failure;
    }
  }

  /**
   * Begins the aborts, from the first on, while the store can be reached. An interrupt, before or
   * while they wait for their turn, is kept.
   */
  private List<Future<@Nullable Void>> submitted(RequestPool requests, List<Upload> uploads)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    StoreReach reach = new StoreReach();
    List<Future<@Nullable Void>> pending = new ArrayList<>();
    try {
      while (pending.size() < uploads.size() && !reach.isLost()) {
        Upload next = uploads.get(pending.size());
        try {
          pending.add(requests.submit(reach.watched(() -> abort(next))));
        } catch (InterruptedIOException e) {
          interrupted = Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return pending;
  }

  private @Nullable Void abort(Upload upload) throws IOException {
    UploadEnd.abortAndLook(store, upload);
    return null;
  }
}

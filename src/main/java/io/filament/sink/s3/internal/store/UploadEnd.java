package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Ends uploads that nobody will complete, so that no part of them stays and costs money. An
 * interrupt doesn't stop it half-way; the flag is set again.
 */
public final class UploadEnd {

  private static final int TRIES = 3;

  private UploadEnd() {}

  /**
   * Aborts an upload whose requests have all been answered.
   *
   * @throws IOException if it may still be there
   */
  static void abort(ObjectStore store, Upload upload) throws IOException {
    repeat(() -> store.abort(upload));
  }

  /**
   * Aborts an upload and looks whether it is gone: S3 may need a second abort, since a part that
   * was on its way during the first one can stay (S3 API, AbortMultipartUpload).
   *
   * @throws IOException if it may still be there
   */
  public static void abortAndLook(ObjectStore store, Upload upload) throws IOException {
    repeat(
        () -> {
          store.abort(upload);
          if (isStillThere(store, upload)) {
            throw new SinkException(
                "AbortMultipartUpload s3://%s/%s: the store took it and still lists upload id %s"
                    .formatted(store.bucket(), upload.key(), upload.id()));
          }
        });
  }

  /** Takes a step of clean-up, again if it fails, with interrupts kept until it is done. */
  static void repeat(Step step) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      for (int left = TRIES - 1; ; left--) {
        try {
          step.run();
          return;
        } catch (IOException e) {
          if (left == 0) {
            throw e;
          }
          if (e instanceof InterruptedIOException) {
            interrupted |= Thread.interrupted();
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A store that refuses to list has to be believed. */
  private static boolean isStillThere(ObjectStore store, Upload upload) throws IOException {
    try {
      return store.uploads(upload.key()).contains(upload);
    } catch (StoreException e) {
      if (isRefusal(e.statusCode())) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isRefusal(int status) {
    return status == 501 || (status >= 400 && status < 500 && status != 429);
  }

  /** What is tried again. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }
}

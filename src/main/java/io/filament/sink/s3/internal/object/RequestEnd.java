package io.filament.sink.s3.internal.object;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits for requests that a {@link RequestPool} makes, and tells how they ended. */
public final class RequestEnd {

  private RequestEnd() {}

  /**
   * Waits for the end of a request.
   *
   * @throws IOException what the request threw, or an {@link InterruptedIOException} if the caller
   *     is interrupted; the request goes on then
   */
  public static <T> T of(Future<T> request) throws IOException {
    try {
      return request.get();
    } catch (InterruptedException e) {
      throw interrupted();
    } catch (ExecutionException e) {
      throw thrown(e);
    }
  }

  /** As {@link #of}, but an interrupt only sets the caller's flag again once it ended. */
  public static <T> T uninterruptibly(Future<T> request) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return request.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static IOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while waiting for a request to S3");
  }

  static IOException thrown(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof IOException e) {
      return e;
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return new IOException(failed);
  }
}

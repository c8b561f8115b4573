package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Starts an upload so that its id does not get lost in an interrupt: an upload that nobody heard of
 * can't be aborted, and its parts cost money until a lifecycle rule finds them.
 *
 * <p>The request runs on a thread of its own, which nobody interrupts. Who waits for it and is
 * interrupted goes on waiting for a moment; an answer that comes even later is given to {@code
 * orphan}.
 *
 * @param name what is done, for exceptions
 * @param moment how long an interrupted thread waits
 * @param orphan gets rid of an upload that nobody waits for
 */
record UploadStart(String name, Duration moment, Consumer<Upload> orphan) {

  /**
   * Makes the request and returns its upload, with the thread's interrupt flag set if an interrupt
   * came meanwhile.
   */
  Upload by(Request request) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw interruption();
    }
    CompletableFuture<Upload> answer = new CompletableFuture<>();
    Thread thread = new Thread(() -> send(request, answer), "filament-s3-start");
    thread.setDaemon(true);
    thread.start();
    try {
      return answer.get();
    } catch (InterruptedException e) {
      return lastMoment(answer);
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  private Upload lastMoment(CompletableFuture<Upload> answer) throws IOException {
    try {
      return answer.get(moment.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException | TimeoutException e) {
      CompletableFuture<Void> unused = answer.thenAccept(orphan);
      throw interruption();
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("CatchingUnchecked") // whatever happens belongs to who waits for the answer
  private static void send(Request request, CompletableFuture<Upload> answer) {
    try {
      answer.complete(request.send());
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  private static IOException failure(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    return cause instanceof IOException e ? e : new IOException(failed);
  }

  private InterruptedIOException interruption() {
    return new InterruptedIOException(name + ": interrupted");
  }

  /** The request itself. */
  @FunctionalInterface
  interface Request {
    Upload send() throws IOException;
  }
}

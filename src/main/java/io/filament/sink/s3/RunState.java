package io.filament.sink.s3;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.object.UploadContext;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a run stands, and which step may follow. The first failure of the run decides what is
 * thrown. Any thread may call.
 */
final class RunState {

  /** Where a run stands. */
  private enum State {
    OPEN,
    COMMITTING,
    /** The manifest is on its way: an abort ends the tries and waits for what became of it. */
    PUBLISHING,
    COMMITTED,
    FAILED,
    ABORTING,
    ABORTED
  }

  private final String runId;
  private final UploadContext context;
  // All guarded by this.
  private State state = State.OPEN;
  private int writes;
  private boolean abortsPublishing;
  private boolean failureTold;

  RunState(String runId, UploadContext context) {
    this.runId = runId;
    this.context = context;
  }

  /** Counts a call that writes in, if the state allows one; {@link #endWrite} counts it out. */
  synchronized void beginWrite(String call) throws IOException {
    checkOpen(call);
    writes++;
  }

  synchronized void endWrite() {
    writes--;
    notifyAll();
  }

  /** Refuses writes from here on. */
  synchronized void beginCommit() throws IOException {
    checkOpen("commit");
    state = State.COMMITTING;
  }

  /** A write that began before the commit is part of the run; what it throws fails the commit. */
  synchronized void awaitWrites() throws IOException {
    while (writes > 0 && state == State.COMMITTING) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException(
            "commit of run \"%s\": interrupted while the last batches were written"
                .formatted(runId));
      }
    }
    checkStillOpen();
  }

  /** From here on the manifest may exist. */
  synchronized void beginPublishing() throws IOException {
    checkStillOpen();
    state = State.PUBLISHING;
  }

  /** Returns false if there is nothing to abort. */
  synchronized boolean beginAbort() {
    if (state == State.ABORTING && context.requests().isMakingRequest()) {
      return false; // a listener's call: who aborts already waits for the request that it is in
    }
    if (state == State.PUBLISHING) {
      abortsPublishing = true;
      context.requests().cancel();
    }
    boolean interrupted = false;
    while (state == State.PUBLISHING || state == State.ABORTING) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (isOver()) {
      return false;
    }
    state = State.ABORTING;
    notifyAll();
    return true;
  }

  synchronized void committed() {
    enter(State.COMMITTED);
  }

  synchronized void aborted() {
    enter(State.ABORTED);
  }

  private synchronized void enter(State next) {
    state = next;
    notifyAll();
  }

  /** Returns whether another run may begin. */
  synchronized boolean isOver() {
    return state == State.COMMITTED || state == State.ABORTED;
  }

  /** Returns whether nothing more will be written. */
  synchronized boolean isEnding() {
    return state == State.ABORTING || state == State.ABORTED || state == State.FAILED;
  }

  /**
   * Refuses a call that the state doesn't allow, and shows a failure that no call has shown yet.
   */
  private synchronized void checkOpen(String call) throws IOException {
    Throwable failure = context.failure().first();
    if (state == State.OPEN && failure != null) {
      state = State.FAILED;
      throw thrown(failure);
    }
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "%s: run \"%s\" is %s".formatted(call, runId, describe(state)), failure);
    }
  }

  /** Throws if the run has failed or was aborted since the call began. */
  synchronized void checkStillOpen() throws IOException {
    if (state == State.ABORTING || state == State.ABORTED) {
      throw abortedException(null);
    }
    Throwable failure = context.failure().first();
    if (failure != null) {
      throw thrown(failure);
    }
  }

  /** Records a failure and returns what the caller throws: the run's first. */
  synchronized IOException failed(Throwable e) {
    if (state != State.ABORTING && state != State.ABORTED) {
      context.failure().record(e);
      enter(State.FAILED);
      if (abortsPublishing && e instanceof InterruptedIOException) {
        return abortedException(e); // before the manifest was sent
      }
      Throwable first = context.failure().first();
      return thrown(first == null ? e : first);
    }
    return abortedException(e);
  }

  /** Returns the run's first failure, once: for who tells of it. */
  synchronized Optional<Throwable> untoldFailure() {
    if (state != State.FAILED || failureTold) {
      return Optional.empty();
    }
    failureTold = true;
    return Optional.ofNullable(context.failure().first());
  }

  private SinkException abortedException(@Nullable Throwable cause) {
    return new SinkException("run \"%s\" was aborted".formatted(runId), cause);
  }

  private static IOException thrown(Throwable failure) {
    if (failure instanceof IOException e) {
      return e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return new SinkException("the run failed", failure);
  }

  private static String describe(State state) {
    return switch (state) {
      case OPEN -> "open";
      case COMMITTING, PUBLISHING -> "being committed";
      case COMMITTED -> "committed";
      case FAILED -> "failed; abort it";
      case ABORTING, ABORTED -> "aborted";
    };
  }
}

package io.filament.sink.s3.internal.object;

import org.jspecify.annotations.Nullable;

/** Keeps the first failure of a run; later ones are suppressed into it. Any thread may call. */
public final class FirstFailure {

  private @Nullable Throwable first;

  /** Records a failure; the same one again changes nothing. */
  public synchronized void record(Throwable failure) {
    if (first == null) {
      first = failure;
    } else if (first != failure) {
      first.addSuppressed(failure);
    }
  }

  /** Returns the first failure, or null if there is none. */
  public synchronized @Nullable Throwable first() {
    return first;
  }
}

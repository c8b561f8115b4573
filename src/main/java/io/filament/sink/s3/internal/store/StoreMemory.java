package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import io.filament.sink.s3.internal.store.StoreProfile.Found;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one bucket as one client sees it; {@link StoreProfiles} hands it to all who use
 * both. Any thread may call.
 */
final class StoreMemory {

  private static final int PRECONDITION_FAILED = 412;
  private static final int NOT_IMPLEMENTED = 501;

  // All guarded by this.
  private @Nullable StoreProfile found;

  /** What the thread that probes will have found; empty if an interrupt stopped it. */
  private @Nullable CompletableFuture<Optional<StoreProfile>> pending;

  private Conditions puts = Conditions.UNKNOWN;
  private Conditions completes = Conditions.UNKNOWN;
  private boolean told;

  /** Returns what a probe has found, if one has. */
  synchronized Optional<StoreProfile> found() {
    return Optional.ofNullable(found).map(this::withConditions);
  }

  /**
   * Returns what a probe has found, or makes one. Of several threads one probes and the others wait
   * for it; a failure of the store is theirs too. Only what the store has shown is remembered, so
   * that a refusal ends with its cause, and a failure with the store's.
   *
   * @throws InterruptedIOException if the caller is interrupted; the others go on
   */
  StoreProfile find(Probe probe) throws IOException {
    while (true) {
      CompletableFuture<Optional<StoreProfile>> others;
      CompletableFuture<Optional<StoreProfile>> own = new CompletableFuture<>();
      synchronized (this) {
        if (found != null) {
          return withConditions(found);
        }
        others = pending;
        if (others == null) {
          pending = own;
        }
      }
      Optional<StoreProfile> profile = others == null ? probed(probe, own) : awaited(others);
      if (profile.isPresent()) {
        return withConditions(profile.get());
      }
    }
  }

  @SuppressWarnings("CatchingUnchecked") // whatever happens belongs to who waits, too
  private Optional<StoreProfile> probed(
      Probe probe, CompletableFuture<Optional<StoreProfile>> answer) throws IOException {
    try {
      StoreProfile profile = probe.run();
      ended(profile.found() == Found.PROBED ? profile : null);
      answer.complete(Optional.of(profile));
      return Optional.of(profile);
    } catch (InterruptedIOException e) {
      ended(null);
      answer.complete(Optional.empty()); // the interrupt was for this thread alone
      throw e;
    } catch (Throwable e) {
      ended(null);
      answer.completeExceptionally(e);
      throw e;
    }
  }

  private synchronized void ended(@Nullable StoreProfile profile) {
    found = profile;
    pending = null;
  }

  private static Optional<StoreProfile> awaited(CompletableFuture<Optional<StoreProfile>> others)
      throws IOException {
    try {
      return others.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another request found out the store");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    }
  }

  /** Forgets what a probe has found: the store may have changed. What is waited for stays. */
  synchronized void forget(ChecksumLevel level) {
    if (found != null && found.checksums() == level) {
      found = null;
    }
  }

  /** Returns the same profile with what is known of conditional writes. */
  synchronized StoreProfile withConditions(StoreProfile profile) {
    return profile.withConditions(puts, completes);
  }

  /** Returns what is known of puts. */
  synchronized Conditions puts() {
    return puts;
  }

  /** Keeps what a probe has found of puts, unless an answer has shown it meanwhile. */
  synchronized void foundPuts(Conditions found) {
    if (puts == Conditions.UNKNOWN) {
      puts = found;
    }
  }

  /** Learns from the refusal of a conditional put. */
  synchronized void refusedPut(StoreException refusal) {
    puts = shown(puts, refusal);
  }

  /** Learns from the refusal to complete an upload under a condition. */
  synchronized void refusedComplete(StoreException refusal) {
    completes = shown(completes, refusal);
  }

  private static Conditions shown(Conditions known, StoreException refusal) {
    if (refusal.statusCode() == PRECONDITION_FAILED) {
      return Conditions.HONOURED;
    }
    return refusal.statusCode() == NOT_IMPLEMENTED || "NotImplemented".equals(refusal.errorCode())
        ? Conditions.REFUSED
        : known;
  }

  /** Returns true once: for who tells that the store could not be probed. */
  synchronized boolean isFirstToTell() {
    boolean first = !told;
    told = true;
    return first;
  }

  /** Asks the store. */
  @FunctionalInterface
  interface Probe {
    StoreProfile run() throws IOException;
  }
}

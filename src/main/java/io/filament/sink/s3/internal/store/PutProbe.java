package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds out for a run whether puts obey {@code If-None-Match}, with as few requests as that takes.
 * It puts an object of one byte only if it may take it away again. Used by one thread, once.
 */
final class PutProbe {

  private static final int BAD_REQUEST = 400;

  private final ObjectRemoval removal;
  private final ProbeObject object;

  /**
   * @param store at the level of checksums that the run has
   * @param key where only writers of the same run have an object, for the same purpose
   * @param removal of the object at that key
   */
  PutProbe(SdkObjectStore store, String key, ObjectRemoval removal) {
    this.removal = removal;
    this.object = new ProbeObject(store, key, removal);
  }

  /** Returns what came of it. After an interrupt the flag is set, and nothing is left half-done. */
  Finding run() {
    try {
      removal.rehearse();
    } catch (IOException e) {
      return Finding.unknown(e).withLeft(removal.isDue() ? Optional.of(left()) : Optional.empty());
    }
    Finding found;
    Optional<String> left;
    try {
      found = tried();
    } catch (IOException e) {
      found = Finding.unknown(e);
    } finally {
      left = removed();
    }
    return found.withLeft(left);
  }

  private Finding tried() throws IOException {
    try {
      object.putFirst(Condition.ABSENT);
    } catch (StoreException e) {
      if (Condition.isUnmet(e)) {
        return Finding.of(Conditions.HONOURED); // an earlier try of the put was carried out
      }
      if (!Condition.isRefused(e)) {
        throw e;
      }
      if (e.statusCode() == BAD_REQUEST) {
        object.putFirst(Condition.ALWAYS); // a refusal of this one is not of the condition
      }
      return Finding.of(Conditions.REFUSED);
    }
    try {
      object.putAgain();
    } catch (StoreException e) {
      Conditions shown = ProbeObject.shown(e);
      if (shown == Conditions.UNKNOWN) {
        throw e;
      }
      return Finding.of(shown);
    }
    return Finding.of(Conditions.IGNORED);
  }

  /** Returns what may be left. Who may not look has to believe the answers, if there was each. */
  private Optional<String> removed() {
    if (!removal.isDue()) {
      return Optional.empty();
    }
    try {
      boolean isGone = removal.remove() || object.isSure();
      return isGone && !object.isSilent() ? Optional.empty() : Optional.of(left());
    } catch (IOException e) {
      return Optional.of(left() + ": " + e.getMessage());
    }
  }

  private String left() {
    return removal.toString();
  }

  /**
   * What was found.
   *
   * @param failure why it is unknown, if it is; without secrets
   * @param left the key and the versions of what may be left, if something may
   */
  record Finding(Conditions puts, Optional<IOException> failure, Optional<String> left) {

    Finding {
      Objects.requireNonNull(puts, "puts");
      Objects.requireNonNull(failure, "failure");
      Objects.requireNonNull(left, "left");
    }

    static Finding of(Conditions puts) {
      return new Finding(puts, Optional.empty(), Optional.empty());
    }

    static Finding unknown(IOException failure) {
      return new Finding(Conditions.UNKNOWN, Optional.of(failure), Optional.empty());
    }

    Finding withLeft(Optional<String> what) {
      return new Finding(puts, failure, what);
    }
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * The object of one byte at which a store shows what it makes of conditions. Its removal knows of
 * each version that a put has made, or may have made. Used by one thread, once.
 */
final class ProbeObject {

  /** That a write under a condition met another one at its key. */
  private static final String CONFLICT = "ConditionalRequestConflict";

  private final SdkObjectStore store;
  private final String key;
  private final ObjectRemoval removal;
  private boolean isSure = true;
  private boolean isSilent;

  /**
   * @param store at the level of checksums that is used
   * @param key where nobody else has an object
   * @param removal of the object at that key
   */
  ProbeObject(SdkObjectStore store, String key, ObjectRemoval removal) {
    this.store = store;
    this.key = key;
    this.removal = removal;
  }

  /**
   * Puts it where nothing is. A put that is refused has made nothing; 412 may be the answer to a
   * second try of it.
   */
  void putFirst(Condition condition) throws IOException {
    try {
      put(condition);
    } catch (StoreException e) {
      isSilent |= e.statusCode() == 0;
      if (Condition.isUnmet(e) || !ProfileProbe.says(e)) {
        mayBeMade();
      }
      throw e;
    } catch (InterruptedIOException e) {
      isSilent = true;
      mayBeMade();
      throw e;
    }
  }

  private void mayBeMade() {
    isSure = false;
    removal.made(null);
  }

  /** Puts it where it is, under a condition that doesn't hold there. */
  void putAgain() throws IOException {
    try {
      put(Condition.ABSENT);
    } catch (StoreException e) {
      isSilent |= e.statusCode() == 0;
      isSure &= shown(e) != Conditions.UNKNOWN || ProfileProbe.says(e);
      throw e;
    } catch (InterruptedIOException e) {
      isSilent = true;
      isSure = false;
      throw e;
    }
  }

  /** Returns whether a put had no answer, so that a store may still carry it out. */
  boolean isSilent() {
    return isSilent;
  }

  /** Returns whether the store's answers tell of each put whether it has made a version. */
  boolean isSure() {
    return isSure;
  }

  private void put(Condition condition) throws IOException {
    store.put(
        key,
        ProfileProbe.body(),
        ProfileProbe.HEADERS,
        condition,
        answer -> removal.made(answer.versionId()));
  }

  /** Returns what the refusal of a write shows whose condition didn't hold. */
  static Conditions shown(StoreException e) {
    if (Condition.isUnmet(e) || CONFLICT.equals(e.errorCode())) {
      return Conditions.HONOURED;
    }
    return Condition.isRefused(e) ? Conditions.REFUSED : Conditions.UNKNOWN;
  }
}

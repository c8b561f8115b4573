package io.filament.sink.s3.internal.publish;

import io.filament.sink.CommitStateUnknownException;
import io.filament.sink.RunConflictException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StoredObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * Publishes a manifest at most once and never over another one. Used by one thread.
 *
 * <p>The rules: <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html">S3 User
 * Guide, conditional writes</a>.
 */
final class ManifestPublisher {

  private static final int TRIES = 3;

  private final ObjectStore store;
  private final Attempt attempt;
  private final String key;
  private final Body body;
  private final ObjectHeaders headers;

  ManifestPublisher(ObjectStore store, Attempt attempt, String key, Body json) {
    this.store = store;
    this.attempt = attempt;
    this.key = key;
    this.body = json;
    this.headers = new ObjectHeaders("application/json", Optional.empty(), attempt.marks());
  }

  /**
   * Publishes the manifest. An interrupt ends the tries; what has become of it is looked at then,
   * and the flag is set again.
   *
   * @throws RunConflictException if there is one already
   * @throws CommitStateUnknownException if it can't be known whether it was published
   * @throws io.filament.sink.IntegrityException if the store took it and has none, or another
   * @throws IOException if it was not published
   */
  void publish() throws IOException {
    ObjectStore asked = store;
    for (int left = TRIES - 1; ; left--) {
      try {
        asked.put(key, body, headers, Condition.ABSENT);
        break;
      } catch (InterruptedIOException e) {
        settle(e);
        break;
      } catch (StoreException e) {
        if (settled(e, left == 0)) {
          break;
        }
        asked = store.hurried(); // the first put has had all the patience that a request has
      }
    }
    verify();
  }

  /** Looks at what was published. A store that lets nobody look has said that it took it. */
  private void verify() throws IOException {
    for (int left = TRIES; left > 0; left--) {
      Optional<StoredObject> stored;
      try {
        stored = look();
      } catch (InterruptedIOException e) {
        return; // A second interrupt: who comes with it can't wait, and the store has taken it.
      } catch (StoreException e) {
        if (ObjectPublisher.mayHaveHappened(e)) {
          continue; // a failure that may pass
        }
        return;
      }
      new ObjectPublisher(store, attempt)
          .check(key, body.length(), body.crc32c(), new StagedObject.Whole(body), stored);
      return;
    }
  }

  /** Returns whether the manifest is published; false means that another try is safe. */
  private boolean settled(StoreException failure, boolean last) throws IOException {
    int status = failure.statusCode();
    if (Condition.isUnmet(failure)) {
      // The manifest that is there may be ours: the SDK tries again after a lost answer.
      if (isOursElseConflict(failure)) {
        return true;
      }
      if (last) { // a condition that fails although nothing is there
        throw failure;
      }
      return false;
    }
    if (status == 501) {
      putUnconditionally(failure);
      return true;
    }
    if (status == 409 && !last) {
      return false;
    }
    if (!ObjectPublisher.mayHaveHappened(failure)) {
      throw failure;
    }
    if (isOursElseConflict(failure)) {
      return true;
    }
    if (!last) {
      return false;
    }
    if (status == 0 || status == 502 || status == 504) {
      // No answer, or a proxy's that it got none, and nothing there yet: the request may still be
      // on its way.
      throw unknown(failure);
    }
    throw failure;
  }

  /** Returns whether there is a manifest of this attempt; false if there is none. */
  private boolean isOursElseConflict(IOException failure) throws IOException {
    Optional<StoredObject> stored;
    try {
      stored = look();
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw unknown(failure);
    }
    if (stored.isPresent() && !attempt.wrote(stored.get())) {
      throw conflict(failure);
    }
    return stored.isPresent();
  }

  /** Returns if the manifest is there after all, though the last request may still arrive. */
  private void settle(IOException failure) throws IOException {
    if (!isOursElseConflict(failure)) {
      throw unknown(failure);
    }
  }

  /** Looks at the key, with an interrupt kept until that is done: this is how it all ends. */
  private Optional<StoredObject> look() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return store.hurried().head(key);
    } catch (InterruptedIOException e) {
      if (interrupted) {
        throw e;
      }
      interrupted = Thread.interrupted();
      return store.hurried().head(key);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Publishes on a store without conditional writes: looks first, then puts. Two committers at the
   * same moment are not kept apart there.
   */
  private void putUnconditionally(StoreException refusal) throws IOException {
    if (isOursElseConflict(refusal)) {
      return;
    }
    try {
      store.put(key, body, headers, Condition.ALWAYS);
    } catch (InterruptedIOException e) {
      settle(e);
    } catch (StoreException e) {
      if (!ObjectPublisher.mayHaveHappened(e)) {
        throw e;
      }
      settle(e);
    }
  }

  private RunConflictException conflict(IOException failure) {
    return new RunConflictException(
        "PutObject s3://%s/%s: run \"%s\" was committed by another writer; its manifest is unchanged"
            .formatted(store.bucket(), key, attempt.runId()),
        failure);
  }

  private CommitStateUnknownException unknown(IOException failure) {
    return new CommitStateUnknownException(
        "PutObject s3://%s/%s: it can't be known whether run \"%s\" is committed; nothing was deleted, look for this key before trying again"
            .formatted(store.bucket(), key, attempt.runId()),
        failure);
  }
}

package io.filament.sink.s3.internal.publish;

import io.filament.sink.IntegrityException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StoredObject;
import java.io.IOException;
import java.util.Optional;

/**
 * Makes one staged object visible and checks that the store has what was written. Any thread may
 * call.
 */
final class ObjectPublisher {

  private final ObjectStore store;
  private final Attempt attempt;

  ObjectPublisher(ObjectStore store, Attempt attempt) {
    this.store = store;
    this.attempt = attempt;
  }

  void publish(StagedObject object) throws IOException {
    String key = object.spec().key();
    Optional<StoredObject> stored;
    try {
      makeVisible(object);
      stored = store.head(key);
    } catch (StoreException e) {
      if (!mayHaveHappened(e)) {
        throw e;
      }
      stored = settled(object, e);
    }
    check(key, object.length(), object.crc32c(), stored);
  }

  private void makeVisible(StagedObject object) throws IOException {
    String key = object.spec().key();
    if (object.content() instanceof StagedObject.Parts parts) {
      store.complete(parts.upload(), parts.parts(), object.crc32c());
    } else if (object.content() instanceof StagedObject.Whole whole) {
      store.put(key, whole.body(), object.spec().headers());
    }
  }

  /**
   * Tells whether a request that failed may have been carried out all the same: no answer came, the
   * store failed while it worked, it answers a success that can't be read, or it no longer knows
   * the upload, as AWS says of one that an earlier try has completed.
   */
  static boolean mayHaveHappened(StoreException failure) {
    int status = failure.statusCode();
    return status == 0
        || status >= 500
        || status < 300
        || "NoSuchUpload".equals(failure.errorCode());
  }

  /** Returns the object if this attempt wrote it, else throws the failure. */
  private Optional<StoredObject> settled(StagedObject object, StoreException failure)
      throws IOException {
    Optional<StoredObject> stored;
    try {
      stored = store.head(object.spec().key());
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
    // Size and checksum alone prove nothing: a rerun of the same records has the same.
    if (stored.isEmpty() || !attempt.wrote(stored.get())) {
      throw failure;
    }
    return stored;
  }

  /**
   * Compares what the store has with what was written.
   *
   * @throws IntegrityException with the difference
   */
  void check(String key, long length, Crc32c written, Optional<StoredObject> found)
      throws IntegrityException {
    String uri = "s3://" + store.bucket() + "/" + key;
    if (found.isEmpty()) {
      throw new IntegrityException(
          "HeadObject " + uri + ": the store took the object and doesn't have it");
    }
    StoredObject stored = found.get();
    if (stored.length() != length) {
      throw new IntegrityException(
          "HeadObject %s: the store has %d bytes, written were %d; a store that keeps more may take the framing of chunked bodies for content"
              .formatted(uri, stored.length(), length));
    }
    Optional<Crc32c> crc32c = stored.crc32c();
    if (crc32c.isPresent() && !crc32c.get().equals(written)) {
      throw new IntegrityException(
          "HeadObject %s: the store has the CRC-32C %s, written was %s"
              .formatted(uri, crc32c.get(), written));
    }
    if (crc32c.isEmpty() && !attempt.wrote(stored)) {
      throw new IntegrityException(
          "HeadObject %s: the object there is not this attempt's (no %s in its metadata)"
              .formatted(uri, Attempt.TOKEN_NAME));
    }
  }
}

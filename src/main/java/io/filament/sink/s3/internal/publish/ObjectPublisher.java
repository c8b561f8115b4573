package io.filament.sink.s3.internal.publish;

import io.filament.sink.IntegrityException;
import io.filament.sink.RunConflictException;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.store.CompositeCrc32c;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.Md5Etag;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StoredObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Makes one staged object visible and checks that the store has what was written. Any thread may
 * call.
 */
final class ObjectPublisher {

  private static final int TRIES = 3;

  private final ObjectStore store;
  private final Attempt attempt;

  /** Whether the object that decides between writers is this attempt's. */
  private final CompletableFuture<Boolean> claimed = new CompletableFuture<>();

  ObjectPublisher(ObjectStore store, Attempt attempt) {
    this.store = store;
    this.attempt = attempt;
  }

  /** Makes an object visible and checks it. The object of the claim is published once. */
  void publish(StagedObject object) throws IOException {
    if (!isClaim(object)) {
      show(object);
      return;
    }
    try {
      show(object);
      claimed.complete(true);
    } finally {
      claimed.complete(false); // has no effect after the line above
    }
  }

  boolean isClaim(StagedObject object) {
    return attempt.claimKey().filter(object.spec().key()::equals).isPresent();
  }

  private void show(StagedObject object) throws IOException {
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
    check(key, object.length(), object.crc32c(), object.content(), stored);
  }

  /**
   * Makes the object visible where nothing is, or in the place of what an earlier attempt left.
   *
   * @throws RunConflictException if another writer has the run in hand
   */
  private void makeVisible(StagedObject object) throws IOException {
    Condition condition = Condition.ABSENT;
    for (int left = TRIES - 1; ; left--) {
      try {
        makeVisible(object, condition);
        return;
      } catch (StoreException e) {
        if (Condition.isUnmet(e) || isOvertaken(e)) {
          Optional<StoredObject> there = store.hurried().head(object.spec().key());
          if (there.isPresent() && attempt.wrote(there.get())) {
            return; // A lost answer, and the request again.
          }
          Condition next = there.isEmpty() ? Condition.ABSENT : replacement(object, there.get(), e);
          if (isOvertaken(e)) {
            throw e; // the store has been asked again for as long as that may help
          }
          if (left == 0) {
            throw unmet(object, next, condition, e);
          }
          condition = next;
        } else if (left > 0 && condition != Condition.ALWAYS && Condition.isRefused(e)) {
          condition = Condition.ALWAYS;
        } else {
          throw e;
        }
      }
    }
  }

  /** Returns what to throw when each look at the key gave a condition that then was not met. */
  private IOException unmet(
      StagedObject object, Condition now, Condition asked, StoreException refusal) {
    if (now.equals(Condition.ABSENT) || now.equals(asked)) {
      refusal.addSuppressed(
          new SinkException(
              "HeadObject s3://%s/%s: what is there meets the condition that was refused (%s): the store does not compare as S3 does"
                  .formatted(store.bucket(), object.spec().key(), asked)));
      return refusal;
    }
    return new RunConflictException(
        "%s s3://%s/%s: another writer of run \"%s\" makes this object again and again"
            .formatted(refusal.operation(), store.bucket(), object.spec().key(), attempt.runId()),
        refusal);
  }

  private void makeVisible(StagedObject object, Condition condition) throws IOException {
    if (object.content() instanceof StagedObject.Parts parts) {
      store.complete(parts.upload(), parts.parts(), object.crc32c(), condition);
    } else if (object.content() instanceof StagedObject.Whole whole) {
      store.put(object.spec().key(), whole.body(), object.spec().headers(), condition);
    }
  }

  /**
   * Returns the condition to replace what an earlier attempt has left. What is there since this
   * attempt began is another writer's, and he may be about to publish it.
   */
  private Condition replacement(StagedObject object, StoredObject there, StoreException refusal)
      throws IOException {
    if (there.version().isEmpty()) {
      return Condition.ALWAYS;
    }
    StoredObject.Version version = there.version().get();
    if (isNewer(object.content(), version) && !hasLost(object, there)) {
      throw new RunConflictException(
          "%s s3://%s/%s: another writer of run \"%s\" has made this object (at %s) since this one began"
              .formatted(
                  refusal.operation(),
                  store.bucket(),
                  object.spec().key(),
                  attempt.runId(),
                  version.lastModified()),
          refusal);
    }
    return Condition.unchanged(version.etag());
  }

  /** Returns whether who made the other object ends without publishing, since we have the claim. */
  private boolean hasLost(StagedObject object, StoredObject there) throws InterruptedIOException {
    if (isClaim(object) || !attempt.sharesClaim(there)) {
      return false;
    }
    try {
      return claimed.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "s3://%s/%s: interrupted while another object of the run is completed"
              .formatted(store.bucket(), object.spec().key()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("can't happen: it only ends with a value", e);
    }
  }

  /**
   * Of an upload it is known what was at the key when it was started. Its time would not do: AWS
   * dates a completed upload back to its start (S3 API, HeadObject, Last-Modified).
   */
  private boolean isNewer(StagedObject.Content content, StoredObject.Version there) {
    if (content instanceof StagedObject.Parts parts) {
      return !parts.replaced().equals(Optional.of(there.etag()));
    }
    return attempt.begunAt().filter(there.lastModified()::isAfter).isPresent();
  }

  /** Another operation on the key came between (S3 API, ConditionalRequestConflict). */
  private static boolean isOvertaken(StoreException failure) {
    return failure.statusCode() == 409;
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
      stored = store.hurried().head(object.spec().key());
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
  void check(
      String key,
      long length,
      Crc32c written,
      StagedObject.Content content,
      Optional<StoredObject> found)
      throws IOException {
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
    boolean shown = false;
    for (Comparison comparison : comparisons(written, content, stored)) {
      if (!comparison.found().equals(comparison.written())) {
        throw new IntegrityException(
            "HeadObject %s: the store has the %s %s, written was %s"
                .formatted(uri, comparison.what(), comparison.found(), comparison.written()));
      }
      shown = true;
    }
    if (!shown && !attempt.wrote(stored)) {
      throw new IntegrityException(
          "HeadObject %s: the object there is not this attempt's (no %s in its metadata)"
              .formatted(uri, Attempt.TOKEN_NAME));
    }
  }

  /** Returns what the store tells of the bytes, beside what they were. */
  private static List<Comparison> comparisons(
      Crc32c crc32c, StagedObject.Content content, StoredObject stored) throws IOException {
    List<Comparison> all = new ArrayList<>();
    stored.crc32c().ifPresent(found -> all.add(new Comparison("CRC-32C", found, crc32c)));
    if (stored.composite().isPresent() && content instanceof StagedObject.Parts uploaded) {
      CompositeCrc32c written = CompositeCrc32c.of(uploaded.parts());
      all.add(new Comparison("composite CRC-32C", stored.composite().get(), written));
    }
    if (stored.etag().isPresent()) {
      Md5Etag found = stored.etag().get();
      etag(content)
          .filter(found::isComparableTo)
          .ifPresent(written -> all.add(new Comparison("ETag", found, written)));
    }
    return all;
  }

  private static Optional<Md5Etag> etag(StagedObject.Content content) throws IOException {
    if (content instanceof StagedObject.Parts uploaded) {
      return Md5Etag.of(uploaded.parts());
    }
    return Optional.of(Md5Etag.of(((StagedObject.Whole) content).body()));
  }

  private record Comparison(String what, Record found, Record written) {}
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One bucket, with the few operations that a run needs. Any thread may call; each call blocks until
 * the store has answered for good, retries included. Bodies and objects are protected as the
 * store's {@link ChecksumLevel} allows.
 *
 * <p>A refusal or a missing answer is a {@link io.filament.sink.StoreException}, whose status is 0
 * if no answer came that says anything: then the request may have been carried out. A checksum in
 * an answer that differs from ours, or an ETag that is another MD5, is an {@link
 * io.filament.sink.IntegrityException}. An interrupt is an {@link java.io.InterruptedIOException},
 * with the flag set again; the request may have been carried out then, except that no upload is
 * left which {@link #start} did not return.
 */
public interface ObjectStore {

  /** Returns the bucket's name or access-point ARN. */
  String bucket();

  /**
   * Returns the same bucket with little patience, for clean-up and look-ups that somebody awaits.
   */
  ObjectStore hurried();

  /** Returns the time by the store's clock when it last answered, if it tells. */
  Optional<Instant> time();

  /**
   * Returns what is known of the store, with the level that this run's requests have. If that is
   * not known yet it is found out, which may take requests.
   */
  StoreProfile profile() throws IOException;

  /**
   * Finds out whether puts obey {@code If-None-Match}, if that is not known yet. It takes an object
   * of one byte, which is only made if it can surely be deleted again, and then is.
   *
   * @param key where nobody has an object but for this purpose
   * @return what is missing to keep two writers apart: a failure of the store that may pass, or
   *     words for what it does, with a refusal as the cause; empty if puts obey
   */
  Optional<SinkException> findConditions(String key) throws IOException;

  /**
   * Puts an object of at most 5 GiB. A condition that is not met is a {@code StoreException} with
   * status 412; a store without conditional writes answers 501.
   */
  void put(String key, Body body, ObjectHeaders headers, Condition condition) throws IOException;

  /** Starts a multipart upload. */
  Upload start(String key, ObjectHeaders headers) throws IOException;

  /** Uploads a part. The same number again replaces the part. */
  StagedPart part(Upload upload, int number, Body body) throws IOException;

  /**
   * Completes an upload; the object is visible then. A condition that is not met is a {@code
   * StoreException} with status 412, and the upload is still there.
   *
   * @param parts numbers 1 to n without a gap
   * @param whole the checksum of the whole object, for a store that checks it
   */
  void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException;

  /** Aborts an upload and drops its parts. One that is no longer there is no failure. */
  void abort(Upload upload) throws IOException;

  /** Returns what the store says of an object, or empty if there is none. */
  Optional<StoredObject> head(String key) throws IOException;

  /** Returns the multipart uploads in progress at exactly this key. */
  List<Upload> uploads(String key) throws IOException;
}

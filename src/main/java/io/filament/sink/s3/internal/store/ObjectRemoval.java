package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Takes away an object that a test has made, with its versions, and can tell ahead whether it may.
 * Used by one thread.
 */
final class ObjectRemoval {

  /** What S3 calls the version of an object that was put where versioning is off. */
  private static final String NULL_VERSION = "null";

  /** More than a test makes versions, those of requests included that were made again. */
  private static final int ROUNDS = 5;

  private final S3Client client;
  private final SdkObjectStore store;
  private final ObjectOptions options;
  private final String key;
  private final HeadObjectRequest head;
  private boolean takesVersions = true;
  private boolean wasSeen;
  private String version = NULL_VERSION;

  /**
   * @param key where nobody else has an object
   */
  ObjectRemoval(S3Client client, SdkObjectStore store, ObjectOptions options, String key) {
    this.client = client;
    this.store = store;
    this.options = options;
    this.key = key;
    this.head =
        S3Requests.of(store.bucket()).at(ChecksumLevel.NONE).with(options).hurried().head(key);
  }

  /**
   * Deletes what isn't there. It names a version, as S3 then makes no delete marker in a bucket
   * with versions (S3 User Guide, deleting object versions).
   *
   * @throws IOException if an object could not surely be taken away again
   */
  void rehearse() throws IOException {
    try {
      delete(NULL_VERSION);
    } catch (StoreException e) {
      if (isOfAbsent(e)) {
        return;
      }
      if (e.statusCode() != 400 && e.statusCode() != 405 && e.statusCode() != 501) {
        throw e;
      }
      takesVersions = false;
      rehearseWithoutVersion();
    }
  }

  /** A store that refuses a version is taken for one without versions, which has to be shown. */
  private void rehearseWithoutVersion() throws IOException {
    DeleteObjectResponse answer;
    try {
      answer = delete(null);
    } catch (StoreException e) {
      if (isOfAbsent(e)) {
        return;
      }
      throw e;
    }
    if (Boolean.TRUE.equals(answer.deleteMarker())) {
      String made =
          "DeleteObject s3://%s/%s: the store refuses the version \"null\" and makes delete markers"
              .formatted(store.bucket(), key);
      try {
        delete(answer.versionId());
      } catch (IOException e) {
        throw new SinkException(
            "%s; one may be left, of version %s: %s"
                .formatted(made, answer.versionId(), e.getMessage()),
            e);
      }
      throw new SinkException(made);
    }
  }

  /**
   * Deletes the object until a look shows none. An interrupt doesn't stop it half-way; the flag is
   * set again.
   *
   * @throws IOException if it may still be there
   */
  void remove() throws IOException {
    UploadEnd.repeat(this::removeVersions);
  }

  private void removeVersions() throws IOException {
    for (int left = ROUNDS; isThere(); left--) {
      if (left == 0) {
        throw new SinkException(
            "DeleteObject s3://%s/%s: the store took it %d times and still has an object"
                .formatted(store.bucket(), key, ROUNDS));
      }
      deleteKnown();
    }
  }

  private boolean isThere() throws IOException {
    HeadObjectResponse answer;
    try {
      answer = store.ask("HeadObject", key, () -> client.headObject(head));
    } catch (StoreException e) {
      // S3 answers 403 for a key that isn't there to who may not list the bucket.
      if (e.statusCode() == 404 || (e.statusCode() == 403 && wasSeen)) {
        return false;
      }
      deleteKnown(); // which needs another right than a look
      throw e;
    }
    wasSeen = true;
    version = answer.versionId() == null ? NULL_VERSION : answer.versionId();
    return true;
  }

  private void deleteKnown() throws IOException {
    try {
      delete(takesVersions ? version : null);
    } catch (StoreException e) {
      if (!isOfAbsent(e)) {
        throw e;
      }
    }
  }

  private DeleteObjectResponse delete(@Nullable String which) throws IOException {
    DeleteObjectRequest request =
        DeleteObjectRequest.builder()
            .bucket(store.bucket())
            .key(key)
            .versionId(which)
            .applyMutation(options::addTo)
            .build();
    return store.ask("DeleteObject", key, () -> client.deleteObject(request));
  }

  /** S3 takes the deletion of what is absent; some stores answer that there is nothing. */
  private static boolean isOfAbsent(StoreException e) {
    return e.statusCode() == 404 && !"NoSuchBucket".equals(e.errorCode());
  }

  /** Returns where the object is, or was, as far as that is known. */
  @Override
  public String toString() {
    return "key \"%s\"%s"
        .formatted(key, version.equals(NULL_VERSION) ? "" : ", version " + version);
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.BucketLook.Access;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Takes away an object that a probe has made, with its versions, and can tell ahead whether it may.
 * Used by one thread.
 */
final class ObjectRemoval {

  /** What S3 calls the version of an object that was put where versioning is off. */
  private static final String NULL_VERSION = "null";

  /** More than a probe makes versions, those of requests included that were made again. */
  private static final int ROUNDS = 5;

  private final S3Client client;
  private final SdkObjectStore store;
  private final S3Requests requests;
  private final String key;
  private final Access access;
  private final Set<String> known = new LinkedHashSet<>();
  private boolean takesVersions = true;
  private boolean makesMarkers;
  private boolean mayLook;
  private boolean isShown;

  /**
   * @param key where nobody else has an object
   * @param access whether the bucket may be listed: S3 answers 403 for a key that isn't there to
   *     who may not
   */
  ObjectRemoval(
      S3Client client, SdkObjectStore store, ObjectOptions options, String key, Access access) {
    this.client = client;
    this.store = store;
    this.requests = S3Requests.of(store.bucket()).at(ChecksumLevel.NONE).with(options).hurried();
    this.key = key;
    this.access = access;
  }

  /**
   * Deletes what isn't there. It names a version, as S3 then makes no delete marker in a bucket
   * with versions (S3 User Guide, deleting object versions). A store that refuses a version is
   * taken for one without versions. A delete marker shows that it isn't, or that it ignores them.
   *
   * @throws IOException if an object could not surely be taken away again
   */
  void rehearse() throws IOException {
    if (!isRehearsed()) {
      deleteKnown();
      throw new SinkException(
          "DeleteObject s3://%s/%s: the store makes delete markers".formatted(store.bucket(), key));
    }
  }

  private boolean isRehearsed() throws IOException {
    try {
      return isDeleted(NULL_VERSION);
    } catch (StoreException e) {
      if (e.statusCode() != 405 && !Condition.isRefused(e)) {
        throw e;
      }
    }
    takesVersions = false;
    return isDeleted(NULL_VERSION);
  }

  /**
   * Takes note of what there is to delete.
   *
   * @param version as the store has told it; null if it hasn't
   */
  void made(@Nullable String version) {
    known.add(version == null ? NULL_VERSION : version);
  }

  /** Takes note that the store has let the object be looked at. */
  void mayLook() {
    mayLook = true;
  }

  /** Returns whether something is known that is to be deleted. */
  boolean isDue() {
    return !known.isEmpty();
  }

  /**
   * Deletes what is known to have been made, whatever a look shows, and then what looks show, until
   * there is none. An interrupt doesn't stop it half-way; the flag is set again.
   *
   * @return false if the store has refused each look, which shows nothing where the bucket may not
   *     be listed
   * @throws IOException if something may still be there
   */
  boolean remove() throws IOException {
    UploadEnd.repeat(this::removeVersions);
    return isShown;
  }

  private void removeVersions() throws IOException {
    deleteKnown();
    for (int left = ROUNDS - 1; isThere(); left--) {
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
      answer = store.ask("HeadObject", key, () -> client.headObject(requests.head(key)));
    } catch (StoreException e) {
      boolean isAbsent = e.statusCode() == 404;
      if (isAbsent || (e.statusCode() == 403 && access != Access.GRANTED)) {
        isShown = isAbsent || mayLook;
        return false;
      }
      throw e;
    }
    mayLook = true;
    made(answer.versionId());
    return true;
  }

  private void deleteKnown() throws IOException {
    IOException failure = null;
    for (String version : List.copyOf(known)) {
      try {
        if (!isDeleted(version)) {
          throw new SinkException(
              "DeleteObject s3://%s/%s: the store makes delete markers and keeps version \"%s\""
                  .formatted(store.bucket(), key, version));
        }
        known.remove(version);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Returns false if the version may be left; a delete marker that was made instead is known then.
   */
  private boolean isDeleted(String version) throws IOException {
    @Nullable String named = takesVersions || !version.equals(NULL_VERSION) ? version : null;
    DeleteObjectResponse answer;
    try {
      answer =
          store.ask("DeleteObject", key, () -> client.deleteObject(requests.delete(key, named)));
    } catch (StoreException e) {
      if (isOfAbsent(e)) {
        return !makesMarkers; // no look can show that a marker is gone
      }
      throw e;
    }
    // S3 says so, too, of a marker that was deleted, with the version that was asked for.
    if (Boolean.TRUE.equals(answer.deleteMarker())
        && (version.equals(NULL_VERSION) || !version.equals(answer.versionId()))) {
      makesMarkers = true;
      made(answer.versionId());
      return false;
    }
    return true;
  }

  /** S3 takes the deletion of what is absent; some stores answer that there is nothing. */
  private static boolean isOfAbsent(StoreException e) {
    return e.statusCode() == 404 && !"NoSuchBucket".equals(e.errorCode());
  }

  /** Returns where the object is, or was, with the versions of which no deletion was answered. */
  @Override
  public String toString() {
    return known.stream()
        .filter(version -> !version.equals(NULL_VERSION))
        .map(version -> ", version " + version)
        .collect(Collectors.joining("", "key \"" + key + "\"", ""));
  }
}

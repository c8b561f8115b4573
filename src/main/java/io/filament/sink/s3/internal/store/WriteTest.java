package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
import io.filament.sink.IntegrityException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.BucketLook.Access;
import io.filament.sink.s3.internal.store.BucketLook.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Part;

/**
 * Writes as a run does, up to the point where something would be visible: starts an upload, sends a
 * part, looks what the store keeps of it, and aborts the upload. Used by one thread, once.
 */
final class WriteTest {

  private final S3Client client;
  private final SdkObjectStore store;
  private final ObjectOptions options;
  private final String key;
  private final String folder;
  private final List<String> messages = new ArrayList<>();
  private boolean ok = true;
  private Keys keys = Keys.UNKNOWN;

  /**
   * @param key where the upload goes; there is never an object
   * @param folder what the keys of runs begin with
   */
  WriteTest(
      S3Client client, SdkObjectStore store, ObjectOptions options, String key, String folder) {
    this.client = client;
    this.store = store;
    this.options = options;
    this.key = key;
    this.folder = folder;
  }

  /**
   * Returns what came of it.
   *
   * @param level which checksums are sent; empty if the store is to be asked
   * @param access whether the bucket may be listed: only then an absent object isn't refused, and
   *     the keys are known to be right
   */
  ConnectionReport report(Optional<ChecksumLevel> level, Access access) {
    try {
      SdkObjectStore leveled =
          store.at(level.isPresent() ? configured(level.get()) : found(access));
      writeAndAbort(leveled);
      look(leveled, access);
    } catch (IOException e) {
      if (e instanceof StoreException refusal && PlainWords.isOfKeys(refusal.errorCode())) {
        keys = Keys.WRONG;
        ok = false;
        messages.add(0, String.valueOf(e.getMessage()));
      } else {
        fail(e);
      }
    }
    if (keys != Keys.WRONG && !Thread.currentThread().isInterrupted()) {
      messages.add(new LifecycleLook(client, store, options, folder).words());
    }
    return new ConnectionReport(ok, messages);
  }

  /** Returns what {@link #report} has shown of the keys. */
  Keys keys() {
    return keys;
  }

  private ChecksumLevel configured(ChecksumLevel level) {
    messages.add(
        "checksum_mode is "
            + level.label()
            + ", so it was not tried which checksums the store has.");
    return level;
  }

  private ChecksumLevel found(Access access) throws IOException {
    ProfileProbe probe = new ProfileProbe(store, key, this::leftover);
    StoreProfile profile = (access == Access.GRANTED ? probe : probe.withKeysInDoubt()).run();
    messages.add(
        switch (profile.found()) {
          case PROBED, CONFIGURED ->
              checked(profile.checksums())
                  + " (checksum_mode: auto takes "
                  + profile.checksums().label()
                  + ")."
                  + profile.reason().map(why -> " The reason: " + why).orElse("");
          case FALLBACK ->
              "It can't be found out which checksums the store has: " + profile.reason().orElse("");
        });
    return profile.checksums();
  }

  private static String checked(ChecksumLevel level) {
    return switch (level) {
      case FULL_OBJECT -> "The store checks the CRC-32C of each part, and keeps whole objects'";
      case COMPOSITE -> "The store checks the CRC-32C of each part, but keeps no whole object's";
      case NONE -> "The store checks no CRC-32C; Content-MD5 and ETags take its place";
    };
  }

  private void writeAndAbort(SdkObjectStore leveled) throws IOException {
    Upload upload = leveled.start(key, ProfileProbe.HEADERS);
    keys = Keys.RIGHT;
    boolean answered = false;
    try {
      StagedPart part = leveled.part(upload, 1, ProfileProbe.body());
      answered = true;
      checkKept(upload, part);
    } catch (IOException e) {
      fail(e);
    } finally {
      end(upload);
    }
    if (answered && ok) {
      messages.add(
          "An upload was started, took a part and was aborted below "
              + place()
              + ", so the credentials may write there.");
      messages.add(
          "Not shown, since it takes an object: that the store completes uploads, keeps whole objects"
              + " as they were sent, and honours If-None-Match. Each run looks at its own objects, and its"
              + " manifest says what the answers have shown of conditions.");
    }
  }

  /** A size that differs shows a store that keeps the framing of bodies as content. */
  private void checkKept(Upload upload, StagedPart part) throws IOException {
    List<Part> kept;
    try {
      kept =
          store
              .ask(
                  "ListParts",
                  key,
                  () ->
                      client.listParts(
                          r ->
                              r.bucket(store.bucket())
                                  .key(key)
                                  .uploadId(upload.id())
                                  .applyMutation(options::addTo)))
              .parts();
    } catch (StoreException e) {
      messages.add(
          "What the store keeps of a part can't be looked at; only this test needs it: "
              + e.getMessage());
      compareEtag(part);
      return;
    }
    if (kept.size() != 1) {
      fail("The store took one part and lists " + kept.size() + " of upload id " + upload.id());
    } else if (kept.get(0).size() != part.length()) {
      fail(
          "The store keeps %d bytes of a part of %d: it takes the framing of chunked bodies for content, or something between changes bodies"
              .formatted(kept.get(0).size(), part.length()));
    }
  }

  /** With a key of KMS, S3's ETags are no MD5s, but look like some. */
  private void compareEtag(StagedPart part) throws IOException {
    Md5Etag sent = Md5Etag.of(ProfileProbe.body());
    Md5Etag.ofAnswer(part.etag())
        .filter(kept -> sent.isComparableTo(kept) && !sent.equals(kept))
        .ifPresent(
            kept ->
                messages.add(
                    "The part's ETag %s is not the MD5 of what was sent, %s. That is so with a KMS key, and with a store that keeps the framing of bodies as content."
                        .formatted(kept, sent)));
  }

  private void end(Upload upload) {
    try {
      UploadEnd.abort(store, upload);
      if (isListed(upload)) {
        UploadEnd.abortAndLook(store, upload);
      }
    } catch (IOException e) {
      leftover(upload, e);
    }
  }

  private boolean isListed(Upload upload) throws IOException {
    try {
      return store.uploads(key).contains(upload);
    } catch (StoreException e) {
      messages.add(
          "Whether an aborted upload is gone can't be looked at, so the store is believed: "
              + e.getMessage());
      return false;
    }
  }

  private void leftover(Upload upload, IOException failure) {
    fail(failure);
    fail(
        "An upload of one byte may be left, and costs money until a lifecycle rule expires it: key \"%s\", upload id %s."
            .formatted(upload.key(), upload.id()));
  }

  /** A run asks for the head of each object that it has written. */
  private void look(SdkObjectStore leveled, Access access) throws IOException {
    try {
      leveled.head(key);
    } catch (StoreException e) {
      if (e.statusCode() == 403 && access != Access.GRANTED) {
        messages.add(
            "Without s3:ListBucket it can't be shown that the credentials have s3:GetObject, which"
                + " commit needs.");
        return;
      }
      throw e;
    }
  }

  private void fail(IOException failure) {
    fail(String.valueOf(failure.getMessage()));
    if (failure instanceof IntegrityException) {
      fail(
          "A store that takes the framing of chunked bodies for content does that, or something"
              + " between that changes bodies.");
    }
  }

  private void fail(String message) {
    ok = false;
    messages.add(message);
  }

  private String place() {
    return "s3://" + store.bucket() + "/" + folder;
  }
}

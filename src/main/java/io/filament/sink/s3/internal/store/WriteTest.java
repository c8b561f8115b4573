package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
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
 * Writes as a run does, first up to the point where something would be visible: starts an upload,
 * sends a part, looks what the store keeps of it, and aborts the upload. If that goes well, a
 * {@link ConditionProbe} makes an object and takes it away again. Used by one thread, once.
 */
final class WriteTest {

  private final S3Client client;
  private final SdkObjectStore store;
  private final ObjectOptions options;
  private final String key;
  private final String folder;
  private final Findings findings = new Findings();
  private Keys keys = Keys.UNKNOWN;
  private boolean isBelieved;

  /**
   * @param key where the uploads go; an object is made next to it alone
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
      SdkObjectStore leveled = uploaded(level, access);
      Optional<String> doubt = look(leveled, access);
      boolean isRead = findings.areOk() && isReadFromObject(leveled, access);
      doubt.filter(unknown -> !isRead).ifPresent(findings::tell);
    } catch (IOException e) {
      if (isOfKeys(e)) {
        keys = Keys.WRONG;
        findings.failFirst(e);
      } else {
        findings.fail(e);
      }
    }
    if (keys != Keys.WRONG && !Thread.currentThread().isInterrupted()) {
      findings.tell(new LifecycleLook(client, store, options, folder).words());
    }
    return findings.report();
  }

  /** Returns what {@link #report} has shown of the keys. */
  Keys keys() {
    return keys;
  }

  private static boolean isOfKeys(IOException e) {
    return e instanceof StoreException refusal && PlainWords.isOfKeys(refusal.errorCode());
  }

  /** Tries uploads that are aborted, and returns the store at the level that they have shown. */
  private SdkObjectStore uploaded(Optional<ChecksumLevel> level, Access access) throws IOException {
    SdkObjectStore leveled;
    boolean isWritten;
    try {
      leveled = store.at(level.isPresent() ? configured(level.get()) : found(access));
      isWritten = isWrittenAndAborted(leveled);
    } catch (IOException e) {
      if (!isOfKeys(e)) {
        sweep(key);
      }
      throw e;
    }
    sweep(key);
    if (isWritten && findings.areOk()) {
      findings.tell(
          "An upload was started, took a part and was aborted below "
              + place()
              + ", so the credentials may write there.");
    }
    return leveled;
  }

  private ChecksumLevel configured(ChecksumLevel level) {
    findings.tell(
        "checksum_mode is "
            + level.label()
            + ", so it was not tried which checksums the store has.");
    return level;
  }

  private ChecksumLevel found(Access access) throws IOException {
    ProfileProbe probe = new ProfileProbe(store, key, findings::leftover);
    StoreProfile profile = (access == Access.GRANTED ? probe : probe.withKeysInDoubt()).run();
    findings.tell(
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

  private boolean isWrittenAndAborted(SdkObjectStore leveled) throws IOException {
    Upload upload = leveled.start(key, ProfileProbe.HEADERS);
    keys = Keys.RIGHT;
    boolean answered = false;
    try {
      StagedPart part = leveled.part(upload, 1, ProfileProbe.body());
      answered = true;
      checkKept(upload, part);
    } catch (IOException e) {
      findings.fail(e);
    } finally {
      end(upload);
    }
    return answered;
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
      findings.tell(
          "What the store keeps of a part can't be looked at; only this test needs it: "
              + e.getMessage());
      compareEtag(part);
      return;
    }
    if (kept.size() != 1) {
      findings.fail(
          "The store took one part and lists " + kept.size() + " of upload id " + upload.id());
    } else if (kept.get(0).size() != part.length()) {
      findings.fail(
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
                findings.tell(
                    "The part's ETag %s is not the MD5 of what was sent, %s. That is so with a KMS key, and with a store that keeps the framing of bodies as content."
                        .formatted(kept, sent)));
  }

  private void end(Upload upload) {
    try {
      UploadEnd.abort(store, upload);
    } catch (IOException e) {
      findings.leftover(upload, e);
    }
  }

  /**
   * Aborts what is still at a key of this test. That may be an upload of which nobody has heard:
   * the client makes a request again whose answer was lost.
   */
  private void sweep(String own) {
    List<Upload> open = new ArrayList<>();
    try {
      UploadEnd.repeat(() -> open.addAll(listed(own)));
    } catch (IOException e) {
      findings.fail(e);
    }
    for (Upload upload : open) {
      try {
        UploadEnd.abortAndLook(store, upload);
      } catch (IOException e) {
        findings.leftover(upload, e);
      }
    }
  }

  private List<Upload> listed(String own) throws IOException {
    try {
      return store.uploads(own);
    } catch (StoreException e) {
      if (!isBelieved) {
        isBelieved = true;
        findings.tell(
            "Whether an aborted upload is gone can't be looked at, so the store is believed: "
                + e.getMessage());
      }
      return List.of();
    }
  }

  /**
   * A run asks for the head of each object that it has written. Returns in plain words what the
   * look at an absent one leaves open.
   */
  private Optional<String> look(SdkObjectStore leveled, Access access) throws IOException {
    try {
      leveled.head(key);
      return Optional.empty();
    } catch (StoreException e) {
      if (e.statusCode() == 403 && access != Access.GRANTED) {
        return Optional.of(
            "Without s3:ListBucket it can't be shown that the credentials have s3:GetObject, which"
                + " commit needs.");
      }
      throw e;
    }
  }

  private boolean isReadFromObject(SdkObjectStore leveled, Access access) {
    String place = key + "-object";
    ObjectRemoval removal = new ObjectRemoval(client, store, options, place, access);
    ConditionProbe probe = new ConditionProbe(leveled, place, removal, findings);
    probe.run();
    sweep(place);
    return probe.isRead();
  }

  private String place() {
    return "s3://" + store.bucket() + "/" + folder;
  }
}

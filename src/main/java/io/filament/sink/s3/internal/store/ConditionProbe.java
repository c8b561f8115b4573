package io.filament.sink.s3.internal.store;

import io.filament.sink.IntegrityException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;

/**
 * Finds out for the connection test whether a store honours {@code If-None-Match}, and whether it
 * keeps a whole object as it was sent. That shows only where there is an object, so it makes one of
 * one byte, if it may take it away again. Used by one thread, once.
 */
final class ConditionProbe {

  static final String RACE =
      "two writers that commit one run id at the same moment are not kept apart.";
  private static final String PUTS = "puts";
  private static final String COMPLETES = "completed uploads";

  private final SdkObjectStore store;
  private final String key;
  private final ObjectRemoval removal;
  private final ProbeObject object;
  private final Findings findings;
  private boolean isUnmet;
  private boolean isRead;
  private Conditions puts = Conditions.UNKNOWN;
  private Conditions completes = Conditions.UNKNOWN;

  /**
   * @param store at the level of checksums that is tried
   * @param key where nobody else has an object
   * @param removal of the object at that key
   */
  ConditionProbe(SdkObjectStore store, String key, ObjectRemoval removal, Findings findings) {
    this.store = store;
    this.key = key;
    this.removal = removal;
    this.object = new ProbeObject(store, key, removal);
    this.findings = findings;
  }

  /** Returns what was found of puts. */
  Conditions puts() {
    return puts;
  }

  /** Returns what was found of completed uploads. */
  Conditions completes() {
    return completes;
  }

  /** Returns whether the store has let the object be looked at. */
  boolean isRead() {
    return isRead;
  }

  /** Tries all of it and leaves nothing, unless the findings name it. */
  void run() {
    if (!isRehearsed()) {
      return;
    }
    boolean isTried = false;
    try {
      isTried = isTriedWithObject();
    } catch (IOException e) {
      findings.fail(e);
    } finally {
      boolean isRemoved = !removal.isDue() || isRemoved();
      if (isTried && isRemoved) {
        findings.tell(
            "An object of one byte was put, kept as it was sent, and deleted again. Not shown: that"
                + " the store completes uploads; each run looks at its own objects.");
      }
    }
    findings.tell(words(PUTS, puts));
    findings.tell(words(COMPLETES, completes));
  }

  private boolean isRehearsed() {
    try {
      removal.rehearse();
      return true;
    } catch (InterruptedIOException e) {
      findings.fail(e);
    } catch (IOException e) {
      findings.tell(
          "Not shown, since it takes an object, and it is not sure that one could be deleted again,"
              + " which no run needs: that the store keeps whole objects as they were sent, and"
              + " honours If-None-Match. "
              + e.getMessage());
    }
    if (removal.isDue()) {
      findings.fail(
          "A delete marker may be left, which the test has made: the store makes them of deletions"
              + " that name a version, or refuses these: "
              + removal
              + ".");
    }
    return false;
  }

  private boolean isRemoved() {
    try {
      if (removal.remove()) {
        return true;
      }
      if (isUnmet) {
        findings.tell(
            "Without s3:ListBucket it can't be shown that an earlier try of that put has left"
                + " nothing: "
                + removal
                + ".");
        return false;
      }
    } catch (IOException e) {
      findings.fail(e);
    }
    findings.fail(
        "An object of one byte may be left, and costs money until it is deleted: " + removal + ".");
    return false;
  }

  private boolean isTriedWithObject() throws IOException {
    if (!isPut()) {
      return false;
    }
    Optional<StoredObject> kept = store.head(key);
    removal.mayLook();
    checkKept(kept);
    isRead = true;
    if (puts == Conditions.UNKNOWN) {
      puts = tried(PUTS, object::putAgain);
    }
    completes = triedUpload();
    return true;
  }

  /** Returns whether there is an object; puts it without a condition where that is refused. */
  private boolean isPut() throws IOException {
    StoreException refusal;
    try {
      object.putFirst(Condition.ABSENT);
      return true;
    } catch (StoreException e) {
      if (Condition.isUnmet(e)) {
        isUnmet = true;
        findings.tell(
            "If-None-Match was not met although nothing was there, unless an earlier try of the"
                + " same put was carried out: "
                + e.getMessage());
        return false;
      }
      if (!ProfileProbe.says(e)) {
        throw e;
      }
      refusal = e;
    }
    object.putFirst(Condition.ALWAYS); // a refusal of this one is not of the condition
    puts = Conditions.REFUSED;
    findings.tell("With If-None-Match: " + refusal.getMessage());
    return true;
  }

  private void checkKept(Optional<StoredObject> kept) throws IOException {
    if (kept.isEmpty()) {
      throw new IntegrityException(
          "HeadObject s3://%s/%s: the store took the object and doesn't have it"
              .formatted(store.bucket(), key));
    }
    StoredObject object = kept.get();
    Body sent = ProfileProbe.body();
    if (object.length() != sent.length()) {
      throw new IntegrityException(
          "HeadObject s3://%s/%s: the store keeps %d bytes of an object of %d"
              .formatted(store.bucket(), key, object.length(), sent.length()));
    }
    AnswerChecks checks = new AnswerChecks(store.bucket());
    if (object.crc32c().isPresent()) {
      checks.requireSame("HeadObject", key, object.crc32c().get(), sent.crc32c());
    }
    if (object.etag().isPresent()) {
      String etag = object.etag().get().toString();
      checks.requireSameMd5("HeadObject", key, etag, Md5Etag.of(sent).contentMd5());
    }
  }

  private Conditions triedUpload() throws IOException {
    Upload upload = store.start(key, ProfileProbe.HEADERS);
    boolean isOpen = true;
    try {
      StagedPart part = store.part(upload, 1, ProfileProbe.body());
      Conditions found = tried(COMPLETES, () -> complete(upload, part));
      isOpen = found != Conditions.IGNORED;
      return found;
    } finally {
      if (isOpen) {
        abort(upload);
      }
    }
  }

  private void complete(Upload upload, StagedPart part) throws IOException {
    List<StagedPart> parts = List.of(part);
    CompleteMultipartUploadResponse answer =
        store.completed(upload, parts, part.crc32c(), Condition.ABSENT);
    removal.made(answer.versionId());
    new AnswerChecks(store.bucket()).requireSame(key, answer, parts, part.crc32c());
  }

  private void abort(Upload upload) {
    try {
      UploadEnd.abortAndLook(store, upload);
    } catch (IOException e) {
      findings.leftover(upload, e);
    }
  }

  /** Makes a write whose condition doesn't hold. */
  private Conditions tried(String what, Write write) throws IOException {
    try {
      write.run();
      return Conditions.IGNORED;
    } catch (StoreException e) {
      Conditions shown = ProbeObject.shown(e);
      if (shown != Conditions.HONOURED) {
        findings.tell("With If-None-Match, of " + what + ": " + e.getMessage());
      }
      return shown;
    }
  }

  private static String words(String what, Conditions found) {
    return switch (found) {
      case HONOURED -> "The store honours If-None-Match for " + what + ".";
      case IGNORED -> "Warning: the store ignores If-None-Match for " + what + ": " + RACE;
      case REFUSED ->
          "Warning: the store refuses If-None-Match for "
              + what
              + ", so a run does without: "
              + RACE;
      case UNKNOWN -> "Not shown: whether the store honours If-None-Match for " + what + ".";
    };
  }

  /** What a condition stands at. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.IntegrityException;
import io.filament.sink.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;

/**
 * Finds out which checksums a store checks, without leaving anything: it starts a multipart upload,
 * sends a part with the right CRC-32C and the same with a wrong one, and aborts the upload. An
 * accepted checksum proves nothing by itself: many stores ignore what they don't know. So the right
 * one must be taken, and the wrong one refused.
 */
final class ProfileProbe {

  private static final byte[] CONTENT = {'p'};
  private static final Crc32c RIGHT = Crc32c.of(CONTENT);
  private static final Crc32c WRONG = new Crc32c(~RIGHT.value());
  static final ObjectHeaders HEADERS =
      new ObjectHeaders("application/octet-stream", Optional.empty(), Map.of());

  /** What has nothing to do with checksums and may pass, with whatever status it comes. */
  private static final Set<String> PASSING =
      Set.of("RequestTimeout", "SlowDown", "Throttling", "TooManyRequests", "OperationAborted");

  private final SdkObjectStore store;
  private final String key;
  private final BiConsumer<Upload, IOException> leftover;
  private final boolean keysAreKnown;

  /**
   * @param key where the upload goes; there is never an object
   * @param leftover is told of an upload that could not be aborted
   */
  ProfileProbe(SdkObjectStore store, String key, BiConsumer<Upload, IOException> leftover) {
    this(store, key, leftover, true);
  }

  private ProfileProbe(
      SdkObjectStore store,
      String key,
      BiConsumer<Upload, IOException> leftover,
      boolean keysAreKnown) {
    this.store = store;
    this.key = key;
    this.leftover = leftover;
    this.keysAreKnown = keysAreKnown;
  }

  /**
   * Returns the same for keys that the store has not taken yet. A store that then refuses the
   * signature may do so for a header that it doesn't know, or for a wrong key; it is taken for the
   * latter, and not asked again.
   */
  ProfileProbe withKeysInDoubt() {
    return new ProfileProbe(store, key, leftover, false);
  }

  /** Returns the body that a probe sends, with a right checksum. */
  static Body body() {
    return body(RIGHT);
  }

  private static Body body(Crc32c crc32c) {
    return new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, crc32c);
  }

  /**
   * Returns what the store has shown, from the strongest level down; a fallback if it refuses to
   * show anything.
   *
   * @throws IOException if it doesn't answer, has no such bucket, refuses keys that are in doubt,
   *     or has another byte than was sent
   */
  StoreProfile run() throws IOException {
    Optional<String> reason = Optional.empty();
    for (ChecksumLevel level : ChecksumLevel.values()) {
      Trial trial = tried(level);
      switch (trial.verdict()) {
        case CHECKED -> {
          return StoreProfile.probed(level, reason);
        }
        case IGNORED -> {
          return StoreProfile.probed(ChecksumLevel.NONE, Optional.of(trial.words()));
        }
        case DENIED -> {
          return StoreProfile.fallback(trial.words());
        }
        case REFUSED -> reason = Optional.of(trial.words());
      }
    }
    return StoreProfile.fallback(reason.orElse(""));
  }

  private Trial tried(ChecksumLevel level) throws IOException {
    SdkObjectStore leveled = store.at(level);
    AtomicReference<CreateMultipartUploadResponse> answer = new AtomicReference<>();
    Upload upload;
    try {
      upload = leveled.start(key, HEADERS, answer::set);
    } catch (StoreException e) {
      return refused(level, e);
    }
    boolean settled = false;
    try {
      Trial trial =
          answeredOtherwise(level, Objects.requireNonNull(answer.get()))
              ? new Trial(Verdict.REFUSED, "the store starts an upload with other checksums")
              : triedParts(leveled, level, upload);
      settled = true;
      return trial;
    } finally {
      end(upload, settled);
    }
  }

  /** A store that names other checksums than it was asked for has not understood the question. */
  private static boolean answeredOtherwise(
      ChecksumLevel level, CreateMultipartUploadResponse answer) {
    return switch (level) {
      case FULL_OBJECT -> isOther(answer, ChecksumType.FULL_OBJECT);
      case COMPOSITE -> isOther(answer, ChecksumType.COMPOSITE);
      case NONE -> false;
    };
  }

  private static boolean isOther(CreateMultipartUploadResponse answer, ChecksumType asked) {
    @Nullable ChecksumType type = answer.checksumType();
    @Nullable ChecksumAlgorithm algorithm = answer.checksumAlgorithm();
    return (type != null && type != asked)
        || (algorithm != null && algorithm != ChecksumAlgorithm.CRC32_C);
  }

  /** Sends the right checksum first: some stores refuse a wrong one as they refuse each. */
  private Trial triedParts(SdkObjectStore leveled, ChecksumLevel level, Upload upload)
      throws IOException {
    try {
      leveled.part(upload, 1, body(RIGHT));
    } catch (StoreException e) {
      return refused(level, e);
    }
    if (level == ChecksumLevel.NONE) {
      return Trial.CHECKED;
    }
    try {
      leveled.withoutResend().part(upload, 1, body(WRONG));
    } catch (IntegrityException e) {
      // It answers with the right checksum, as it has taken the wrong one.
    } catch (StoreException e) {
      if (says(e)) {
        return Trial.CHECKED;
      }
      throw e;
    }
    return new Trial(Verdict.IGNORED, "the store takes a part whose CRC-32C is wrong");
  }

  /** Without a checksum in it, a request whose keys are refused has wrong ones. */
  private Trial refused(ChecksumLevel level, StoreException e) throws StoreException {
    boolean isOfKeys = PlainWords.isOfKeys(e.errorCode());
    if (!says(e)
        || "NoSuchBucket".equals(e.errorCode())
        || (isOfKeys && (!keysAreKnown || level == ChecksumLevel.NONE))) {
      throw e;
    }
    boolean denied = !isOfKeys && (e.statusCode() == 401 || e.statusCode() == 403);
    return new Trial(denied ? Verdict.DENIED : Verdict.REFUSED, String.valueOf(e.getMessage()));
  }

  /** Tells whether a refusal is the store's word on what it was sent. */
  static boolean says(StoreException e) {
    int status = e.statusCode();
    boolean passing = status == 408 || status == 409 || status == 429;
    return (status == 501 || (status >= 400 && status < 500 && !passing))
        && !PASSING.contains(String.valueOf(e.errorCode()));
  }

  /** Somebody waits: a run that has failed or is aborted by now, or the first part of one. */
  private void end(Upload upload, boolean settled) {
    SdkObjectStore hurried = store.hurried();
    try {
      if (settled) {
        UploadEnd.abort(hurried, upload);
      } else {
        UploadEnd.abortAndLook(hurried, upload);
      }
    } catch (IOException e) {
      leftover.accept(upload, e);
    }
  }

  private enum Verdict {
    CHECKED,
    IGNORED,
    REFUSED,
    DENIED
  }

  private record Trial(Verdict verdict, String words) {
    static final Trial CHECKED = new Trial(Verdict.CHECKED, "");
  }
}

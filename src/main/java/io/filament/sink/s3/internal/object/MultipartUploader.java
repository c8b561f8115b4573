package io.filament.sink.s3.internal.object;

import io.filament.sink.IntegrityException;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Uploads the parts of one object, several at a time. Used by one thread at a time, except for
 * {@link #upload}.
 */
final class MultipartUploader {

  private final ObjectSpec spec;
  private final PartLimits limits;
  private final UploadContext context;
  private final List<Future<StagedPart>> parts = new ArrayList<>();
  private final Waits waits = new Waits();
  // Set by the request itself: an interrupted or aborted caller must not make us forget an upload.
  private volatile @Nullable Upload upload;

  private long partSizeBytes;
  private long sentBytes;

  /** The ETag of what was at the key when the upload was started. */
  private volatile Optional<String> replaced = Optional.empty();

  MultipartUploader(ObjectSpec spec, PartLimits limits, UploadContext context) {
    this.spec = spec;
    this.limits = limits;
    this.context = context;
    this.partSizeBytes = limits.partSizeBytes();
  }

  /** Returns the upload, or null if none was started. Any thread may call. */
  @Nullable Upload upload() {
    return upload;
  }

  /** Returns what sending has waited for since somebody took it over. */
  Waits waits() {
    return waits;
  }

  /** Returns how many parts were sent. */
  int count() {
    return parts.size();
  }

  boolean hasParts() {
    return !parts.isEmpty();
  }

  /** Returns the size of the parts to come, but the last. */
  long partSizeBytes() {
    return partSizeBytes;
  }

  /** Makes the parts to come as large as the one that is sent early, if they must be equal. */
  void sentEarly(long bytes) {
    if (limits.equalParts()) {
      partSizeBytes = bytes;
    }
  }

  /** Returns the most bytes that the object can have. */
  long mostBytes() {
    return sentBytes + partSizeBytes * (limits.maxParts() - count());
  }

  /** Refuses a byte that would begin a part beyond the last that S3 takes. */
  void checkRoom() throws SinkException {
    if (parts.size() == limits.maxParts()) {
      throw new SinkException(
          "s3://%s/%s: the object needs more than %,d parts of %,d bytes, the most that S3 takes; set a larger part_size_mib%s"
              .formatted(
                  context.store().bucket(),
                  spec.key(),
                  limits.maxParts(),
                  partSizeBytes,
                  partSizeBytes < limits.partSizeBytes() || limits.lowered()
                      ? ", and a larger memory_limit_mib: it was too little for larger parts"
                      : ""));
    }
  }

  /** Sends the next part; waits until the request may begin, not until it is done. */
  void send(PartBuffer buffer) throws IOException {
    try {
      submit(buffer);
    } catch (IOException | RuntimeException | Error e) {
      buffer.release(); // no request will
      throw e;
    }
  }

  private void submit(PartBuffer buffer) throws IOException {
    Upload started = upload;
    if (started == null) {
      started = started();
    }
    Upload target = started;
    int number = parts.size() + 1;
    Body body = buffer.body();
    parts.add(context.requests().submit(() -> part(target, number, body, buffer), waits));
    sentBytes += body.length();
  }

  /** Starts the upload, which the caller waits for. */
  private Upload started() throws IOException {
    long since = context.events().nanos();
    try {
      return context.requests().call(this::start);
    } finally {
      waits.add(WaitReason.REQUESTS, context.events().nanos() - since);
    }
  }

  /**
   * Waits for all parts and returns them.
   *
   * @throws IntegrityException if they are not exactly what was sent: some stores fill a gap with
   *     nothing and complete a shorter object
   */
  StagedObject.Parts staged(long length) throws IOException {
    List<StagedPart> staged = new ArrayList<>(parts.size());
    long sum = 0;
    for (Future<StagedPart> future : parts) {
      StagedPart part = RequestEnd.of(future);
      staged.add(part);
      sum += part.length();
      if (part.number() != staged.size()) {
        throw new IntegrityException(
            "UploadPart s3://%s/%s: part %d came back as part %d"
                .formatted(context.store().bucket(), spec.key(), staged.size(), part.number()));
      }
    }
    Upload started = upload;
    if (started == null || sum != length) {
      throw new IntegrityException(
          "UploadPart s3://%s/%s: the parts have %d bytes, the object %d"
              .formatted(context.store().bucket(), spec.key(), sum, length));
    }
    return new StagedObject.Parts(started, staged, replaced);
  }

  private Upload start() throws IOException {
    replaced = etagAtKey();
    Upload started = context.store().start(spec.key(), spec.headers());
    upload = started;
    return started;
  }

  /** S3 answers 403 for a key that isn't there to who may not list the bucket. */
  private Optional<String> etagAtKey() throws IOException {
    try {
      return context
          .store()
          .head(spec.key())
          .flatMap(StoredObject::version)
          .map(StoredObject.Version::etag);
    } catch (StoreException e) {
      if (e.statusCode() == 403) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private StagedPart part(Upload target, int number, Body body, PartBuffer buffer)
      throws IOException {
    RunEvents events = context.events();
    long since = events.nanos();
    events.partStarted(spec.resource(), number, body.length());
    StagedPart part;
    try {
      part = context.store().part(target, number, body);
    } catch (IOException | RuntimeException | Error e) {
      context.failure().record(e);
      events.partFailed(spec.resource(), number, body.length(), since, e);
      throw e;
    } finally {
      buffer.release();
    }
    events.partUploaded(spec.resource(), number, body.length(), since);
    return part;
  }
}

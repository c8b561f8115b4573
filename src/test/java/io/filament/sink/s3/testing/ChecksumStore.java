package io.filament.sink.s3.testing;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoreProfile;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * A store that reads and checks all bytes and keeps none, only their checksums: for tests of how
 * much memory the sink itself takes.
 */
public final class ChecksumStore implements ObjectStore {

  private static final int READ_BYTES = 8 << 10;

  private final Map<String, StoredObject> objects = new ConcurrentHashMap<>();
  private final Map<String, ObjectHeaders> started = new ConcurrentHashMap<>();
  private final AtomicLong uploads = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** Returns the number of visible objects. */
  public int count() {
    return objects.size();
  }

  /** Returns the bytes that were sent. */
  public long bytes() {
    return bytes.get();
  }

  @Override
  public StoreProfile profile() {
    return StoreProfile.configured(ChecksumLevel.FULL_OBJECT);
  }

  @Override
  public Optional<SinkException> findConditions(String key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String bucket() {
    return "lake";
  }

  @Override
  public ObjectStore hurried() {
    return this;
  }

  @Override
  public Optional<Instant> time() {
    return Optional.of(Instant.EPOCH);
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    receive(key, body);
    show(key, body.length(), body.crc32c(), headers);
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) {
    Upload upload = new Upload(key, "upload-" + uploads.incrementAndGet());
    started.put(upload.id(), headers);
    return upload;
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    receive(upload.key(), body);
    return new StagedPart(number, "etag", body.length(), body.crc32c());
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException {
    StagedPart.requireComplete(parts);
    ObjectHeaders headers = started.remove(upload.id());
    if (headers == null) {
      throw refused("CompleteMultipartUpload", upload.key(), "NoSuchUpload");
    }
    show(upload.key(), parts.stream().mapToLong(StagedPart::length).sum(), whole, headers);
  }

  @Override
  public void abort(Upload upload) {
    started.remove(upload.id());
  }

  @Override
  public Optional<StoredObject> head(String key) {
    return Optional.ofNullable(objects.get(key));
  }

  @Override
  public List<Upload> uploads(String key) {
    return List.of();
  }

  private void show(String key, long length, Crc32c crc32c, ObjectHeaders headers) {
    objects.put(
        key,
        new StoredObject(
            length,
            Optional.of(crc32c),
            Optional.empty(),
            Optional.empty(),
            headers.metadata(),
            Optional.of(new StoredObject.Version("etag", Instant.EPOCH))));
  }

  private void receive(String key, Body body) throws IOException {
    CRC32C crc32c = new CRC32C();
    long length = 0;
    byte[] some = new byte[READ_BYTES];
    try (InputStream in = body.content().get()) {
      for (int count = in.read(some); count >= 0; count = in.read(some)) {
        crc32c.update(some, 0, count);
        length += count;
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (length != body.length() || !Crc32c.of(crc32c).equals(body.crc32c())) {
      throw refused("PutObject", key, "BadDigest");
    }
    bytes.addAndGet(length);
  }

  private StoreException refused(String operation, String key, String code) {
    return new StoreException(
        new Request(operation, bucket(), key), new Answer(400, code, ""), "refused", null);
  }
}

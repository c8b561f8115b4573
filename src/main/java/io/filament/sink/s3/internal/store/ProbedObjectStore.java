package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Found;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run's view of a bucket whose level of checksums is found out before the first request that
 * writes. Once found, the level stays for the run: an upload must be completed as it was started.
 *
 * <p>Until then nothing else asks for checksums, which some stores refuse even in a HEAD.
 */
final class ProbedObjectStore implements ObjectStore {

  private static final Logger LOG = LoggerFactory.getLogger(ProbedObjectStore.class);

  private final SdkObjectStore store;
  private final StoreMemory memory;
  private final ProfileProbe probe;
  // Guarded by this.
  private @Nullable StoreProfile settled;

  /**
   * @param key where the probe's upload goes
   */
  ProbedObjectStore(SdkObjectStore store, StoreMemory memory, String key) {
    this.store = store;
    this.memory = memory;
    this.probe = new ProfileProbe(store, key, ProbedObjectStore::warn);
  }

  @Override
  public String bucket() {
    return store.bucket();
  }

  @Override
  public StoreProfile profile() throws IOException {
    return memory.withConditions(settled());
  }

  @Override
  public Optional<SinkException> findConditions(String key) throws IOException {
    return writing().findConditions(key);
  }

  /** Clean-up and look-ups start nothing, so the level of this moment will do. */
  @Override
  public ObjectStore hurried() {
    return reading().hurried();
  }

  @Override
  public Optional<Instant> time() {
    return store.time();
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    writing().put(key, body, headers, condition);
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    SdkObjectStore writing = writing();
    try {
      return writing.start(key, headers);
    } catch (StoreException e) {
      ChecksumLevel level = settled().checksums();
      if (level != ChecksumLevel.NONE && (e.statusCode() == 400 || e.statusCode() == 501)) {
        memory.forget(level); // it took an upload like this once; the next run asks again
      }
      throw e;
    }
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    return writing().part(upload, number, body);
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException {
    writing().complete(upload, parts, whole, condition);
  }

  @Override
  public void abort(Upload upload) throws IOException {
    store.abort(upload);
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    return reading().head(key);
  }

  @Override
  public List<Upload> uploads(String key) throws IOException {
    return store.uploads(key);
  }

  private SdkObjectStore writing() throws IOException {
    return store.at(settled().checksums());
  }

  private synchronized SdkObjectStore reading() {
    return store.at(settled == null ? ChecksumLevel.NONE : settled.checksums());
  }

  private StoreProfile settled() throws IOException {
    synchronized (this) {
      if (settled != null) {
        return settled;
      }
    }
    StoreProfile found = memory.find(probe::run);
    LOG.debug("bucket {}: checksums {}, {}", bucket(), found.checksums(), found.found().label());
    synchronized (this) {
      if (settled == null) {
        settled = found;
      }
      found = settled;
    }
    if (found.found() == Found.FALLBACK && memory.isFirstToTell()) {
      LOG.warn(
          "bucket {}: which checksums the store takes can't be found out, so objects are protected by"
              + " Content-MD5 alone; checksum_mode may name what it takes: {}",
          bucket(),
          found.reason().orElse(""));
    }
    return found;
  }

  private static void warn(Upload upload, IOException failure) {
    LOG.warn(
        "an upload without an object, made to find out the store's checksums, stays until a lifecycle"
            + " rule expires it: key {}, upload id {}",
        upload.key(),
        upload.id(),
        failure);
  }
}

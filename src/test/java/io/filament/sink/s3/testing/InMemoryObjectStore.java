package io.filament.sink.s3.testing;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.internal.store.CompositeCrc32c;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.Md5Etag;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoreProfile;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * A bucket in memory that is as strict as S3: it checks lengths, conditions, the order and sizes of
 * parts, and the checksums of its level. It records every call in the order in which they begin.
 */
public final class InMemoryObjectStore implements ObjectStore {

  private static final int MAX_KEY_BYTES = 1024;
  private static final long S3_LEAST_PART_BYTES = 5L << 20;

  private final String bucket;
  private final long leastPartBytes;
  private final ChecksumLevel level;

  private final List<Call> calls = new ArrayList<>();
  private final TreeMap<String, Entry> objects = new TreeMap<>();
  private final TreeMap<String, Pending> uploads = new TreeMap<>();
  private int uploadCount;
  private long ticks;
  private Conditions conditionalPuts = Conditions.UNKNOWN;
  private boolean looksAtConditions = true;
  private UnaryOperator<byte[]> damage = UnaryOperator.identity();

  private InMemoryObjectStore(String bucket, long leastPartBytes, ChecksumLevel level) {
    this.bucket = bucket;
    this.leastPartBytes = leastPartBytes;
    this.level = level;
  }

  /** A bucket with S3's own limit: every part but the last has at least 5 MiB. */
  public static InMemoryObjectStore withFullSizeParts(String bucket) {
    return new InMemoryObjectStore(bucket, S3_LEAST_PART_BYTES, ChecksumLevel.FULL_OBJECT);
  }

  /** A bucket where every part but the last has at least so many bytes. */
  public static InMemoryObjectStore withPartsOfAtLeast(String bucket, long leastPartBytes) {
    return withPartsOfAtLeast(bucket, leastPartBytes, ChecksumLevel.FULL_OBJECT);
  }

  /** The same, of a store that checks and keeps the checksums of this level. */
  public static InMemoryObjectStore withPartsOfAtLeast(
      String bucket, long leastPartBytes, ChecksumLevel level) {
    return new InMemoryObjectStore(bucket, leastPartBytes, level);
  }

  /** From now on it checks the bytes that come, and keeps others. */
  public synchronized void damages(UnaryOperator<byte[]> change) {
    damage = change;
  }

  /** From now on it carries out writes whatever their conditions are. */
  public synchronized void ignoresConditions() {
    looksAtConditions = false;
  }

  /** Returns all calls so far, in the order in which they began. */
  public synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Returns the calls of one operation so far, in the order in which they began. */
  public synchronized List<Call> calls(Operation operation) {
    return calls.stream().filter(call -> call.operation() == operation).toList();
  }

  /** Returns the keys of all visible objects. */
  public synchronized SortedSet<String> keys() {
    return new TreeSet<>(objects.keySet());
  }

  /** Returns the bytes of a visible object. */
  public synchronized byte[] content(String key) {
    return entry(key).content.clone();
  }

  /** Returns what a visible object says of itself. */
  public synchronized ObjectHeaders headers(String key) {
    return entry(key).headers;
  }

  /** Returns the sizes of the parts that a visible object was completed of; none if it was put. */
  public synchronized List<Long> partLengths(String key) {
    return entry(key).parts.stream().map(part -> (long) part.length).toList();
  }

  /** Returns all uploads that were started and neither completed nor aborted. */
  public synchronized List<Upload> openUploads() {
    return uploads.entrySet().stream()
        .map(upload -> new Upload(upload.getValue().key(), upload.getKey()))
        .toList();
  }

  /** Flips a bit in the last byte of a visible object, or gives an empty one a byte. */
  public synchronized void corrupt(String key) {
    Entry entry = entry(key);
    byte[] content = Arrays.copyOf(entry.content, Math.max(1, entry.content.length));
    content[content.length - 1] ^= 1;
    objects.put(key, new Entry(content, entry.headers, entry.parts, entry.lastModified));
  }

  /** Cuts the last byte off a visible object, or gives an empty one a byte. */
  public synchronized void truncate(String key) {
    Entry entry = entry(key);
    int length = entry.content.length == 0 ? 1 : entry.content.length - 1;
    objects.put(
        key,
        new Entry(
            Arrays.copyOf(entry.content, length), entry.headers, entry.parts, entry.lastModified));
  }

  /** Flips a bit in the first byte of every part that is staged for a key. */
  public synchronized void corruptParts(String key) {
    for (Pending pending : uploads.values()) {
      if (pending.key().equals(key)) {
        pending.contents().values().forEach(content -> content[0] ^= 1);
      }
    }
  }

  @Override
  public synchronized StoreProfile profile() {
    return StoreProfile.configured(level).withConditions(conditionalPuts, Conditions.UNKNOWN);
  }

  @Override
  public synchronized Optional<SinkException> findConditions(String key) {
    conditionalPuts = looksAtConditions ? Conditions.HONOURED : Conditions.IGNORED;
    return looksAtConditions
        ? Optional.empty()
        : Optional.of(new SinkException("If-None-Match is ignored"));
  }

  @Override
  public String bucket() {
    return bucket;
  }

  @Override
  public InMemoryObjectStore hurried() {
    return this;
  }

  /** Its clock has no other ticks than objects that become visible. */
  @Override
  public synchronized Optional<Instant> time() {
    return Optional.of(Instant.ofEpochSecond(ticks));
  }

  @Override
  public void put(String key, Body body, ObjectHeaders headers, Condition condition)
      throws IOException {
    Request request = begin(new Call(Operation.put(key), key));
    byte[] content = receive(request, body);
    synchronized (this) {
      require(request, condition);
      show(key, damage.apply(content), headers, List.of());
    }
  }

  @Override
  public Upload start(String key, ObjectHeaders headers) throws IOException {
    begin(new Call(Operation.START, key));
    synchronized (this) {
      uploadCount++;
      String id = String.format("upload-%06d", uploadCount);
      uploads.put(id, new Pending(key, headers, new TreeMap<>(), new TreeMap<>()));
      return new Upload(key, id);
    }
  }

  @Override
  public StagedPart part(Upload upload, int number, Body body) throws IOException {
    Request request = begin(new Call(Operation.PART, upload.key(), number));
    byte[] content = receive(request, body);
    synchronized (this) {
      Pending pending = pending(request, upload);
      StagedPart staged = new StagedPart(number, etag(content), content.length, body.crc32c());
      pending.parts().put(number, staged);
      pending.contents().put(number, damage.apply(content));
      return staged;
    }
  }

  @Override
  public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
      throws IOException {
    StagedPart.requireComplete(parts);
    Request request = begin(new Call(Operation.COMPLETE, upload.key()));
    synchronized (this) {
      Pending pending = pending(request, upload);
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      List<byte[]> contents = new ArrayList<>();
      for (StagedPart staged : parts) {
        if (!staged.equals(pending.parts().get(staged.number()))) {
          throw refused(request, 400, "InvalidPart", "part " + staged.number() + " is another");
        }
        if (staged.number() < parts.size() && staged.length() < leastPartBytes) {
          throw refused(
              request,
              400,
              "EntityTooSmall",
              "part " + staged.number() + " has " + staged.length() + " of " + leastPartBytes);
        }
        content.writeBytes(pending.contents().get(staged.number()));
        contents.add(pending.contents().get(staged.number()));
      }
      if (level == ChecksumLevel.FULL_OBJECT) {
        requireChecksum(request, content.toByteArray(), whole);
      }
      require(request, condition);
      show(upload.key(), content.toByteArray(), pending.headers(), List.copyOf(contents));
      uploads.remove(upload.id());
    }
  }

  @Override
  public void abort(Upload upload) throws IOException {
    begin(new Call(Operation.ABORT, upload.key()));
    synchronized (this) {
      uploads.remove(upload.id());
    }
  }

  @Override
  public Optional<StoredObject> head(String key) throws IOException {
    begin(new Call(Operation.HEAD, key));
    synchronized (this) {
      Entry entry = objects.get(key);
      return entry == null ? Optional.empty() : Optional.of(entry.stored(level));
    }
  }

  @Override
  public List<Upload> uploads(String key) throws IOException {
    begin(new Call(Operation.UPLOADS, key));
    return openUploads().stream().filter(upload -> upload.key().equals(key)).toList();
  }

  private void require(Request request, Condition condition) throws IOException {
    Entry there = objects.get(String.valueOf(request.key()));
    boolean met =
        condition instanceof Condition.Unchanged unchanged
            ? there != null && there.etag().equals(unchanged.etag())
            : condition instanceof Condition.Always || there == null;
    if (!met && looksAtConditions) {
      if ("PutObject".equals(request.operation())) {
        conditionalPuts = Conditions.HONOURED;
      }
      throw refused(
          request,
          412,
          "PreconditionFailed",
          there == null ? "there is no object at the key" : "there is an object at the key");
    }
  }

  private void show(String key, byte[] content, ObjectHeaders headers, List<byte[]> parts) {
    ticks++;
    objects.put(key, new Entry(content, headers, parts, Instant.ofEpochSecond(ticks)));
  }

  private Request begin(Call call) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(call + ": interrupted");
    }
    Request request = new Request(call.operation().s3Name(), bucket, call.key());
    synchronized (this) {
      calls.add(call);
    }
    int keyBytes = call.key().getBytes(StandardCharsets.UTF_8).length;
    if (keyBytes == 0 || keyBytes > MAX_KEY_BYTES) {
      throw refused(request, 400, "KeyTooLongError", "a key has 1 to 1024 bytes: " + keyBytes);
    }
    return request;
  }

  private byte[] receive(Request request, Body body) throws IOException {
    byte[] content;
    try (InputStream in = body.content().get()) {
      content = in.readAllBytes();
    }
    if (content.length != body.length()) {
      throw refused(
          request, 400, "IncompleteBody", content.length + " bytes of " + body.length() + " came");
    }
    if (level != ChecksumLevel.NONE) {
      requireChecksum(request, content, body.crc32c());
    }
    return content;
  }

  private void requireChecksum(Request request, byte[] content, Crc32c expected)
      throws StoreException {
    Crc32c actual = Crc32c.of(content);
    if (!actual.equals(expected)) {
      throw refused(
          request, 400, "BadDigest", "CRC-32C " + actual + " came where " + expected + " was said");
    }
  }

  private Pending pending(Request request, Upload upload) throws StoreException {
    Pending pending = uploads.get(upload.id());
    if (pending == null || !pending.key().equals(upload.key())) {
      throw refused(request, 404, "NoSuchUpload", "no such upload: " + upload.id());
    }
    return pending;
  }

  private Entry entry(String key) {
    Entry entry = objects.get(key);
    if (entry == null) {
      throw new AssertionError("no object at " + key + ", only at " + objects.keySet());
    }
    return entry;
  }

  private static StoreException refused(Request request, int status, String code, String problem) {
    return new StoreException(request, new Answer(status, code, "in-memory"), problem, null);
  }

  private static final class Entry {

    final byte[] content;
    final ObjectHeaders headers;
    final List<byte[]> parts;

    final Instant lastModified;

    Entry(byte[] content, ObjectHeaders headers, List<byte[]> parts, Instant lastModified) {
      this.content = content;
      this.headers = headers;
      this.parts = parts;
      this.lastModified = lastModified;
    }

    String etag() throws IOException {
      return InMemoryObjectStore.etag(content);
    }

    StoredObject stored(ChecksumLevel level) throws IOException {
      Optional<Crc32c> crc32c = Optional.empty();
      Optional<CompositeCrc32c> composite = Optional.empty();
      Optional<Md5Etag> etag = Optional.empty();
      List<StagedPart> staged = new ArrayList<>();
      for (byte[] part : parts) {
        staged.add(
            new StagedPart(
                staged.size() + 1, InMemoryObjectStore.etag(part), part.length, Crc32c.of(part)));
      }
      if (level == ChecksumLevel.NONE) {
        etag = parts.isEmpty() ? Optional.of(Md5Etag.of(body(content))) : Md5Etag.of(staged);
      } else if (level == ChecksumLevel.COMPOSITE && !parts.isEmpty()) {
        composite = Optional.of(CompositeCrc32c.of(staged));
      } else {
        crc32c = Optional.of(Crc32c.of(content));
      }
      return new StoredObject(
          content.length,
          crc32c,
          composite,
          etag,
          headers.metadata(),
          Optional.of(new StoredObject.Version(etag(), lastModified)));
    }
  }

  private static String etag(byte[] content) throws IOException {
    return "\"" + Md5Etag.of(body(content)) + "\"";
  }

  private static Body body(byte[] content) {
    return new Body(() -> new ByteArrayInputStream(content), content.length, Crc32c.of(content));
  }

  private record Pending(
      String key,
      ObjectHeaders headers,
      SortedMap<Integer, StagedPart> parts,
      SortedMap<Integer, byte[]> contents) {}
}

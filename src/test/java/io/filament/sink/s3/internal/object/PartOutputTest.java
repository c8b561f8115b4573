package io.filament.sink.s3.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.IntegrityException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.Schema;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.memory.Relief;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoreProfile;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How bytes become parts, with parts of 8 bytes. */
class PartOutputTest {

  private static final String KEY = "p/accounts/r.ndjson";

  private final InMemoryObjectStore store = InMemoryObjectStore.withPartsOfAtLeast("bucket", 8);
  private final RequestPool requests = new RequestPool(2);
  private final FirstFailure failure = new FirstFailure();

  @AfterEach
  void endRequests() {
    requests.cancel();
  }

  @Test
  void fewerBytesThanAPartStayInMemory() throws IOException {
    Writing writing = writing(store, 10);
    writing.write("1234567");

    StagedObject.Content content = writing.end();

    assertThat(content).isInstanceOf(StagedObject.Whole.class);
    assertThat(((StagedObject.Whole) content).body().content().get().readAllBytes())
        .isEqualTo(bytes("1234567"));
    assertThat(store.calls()).isEmpty();
  }

  @Test
  void noBytesAreAWholeObjectOfNoBytes() throws IOException {
    Body body = ((StagedObject.Whole) writing(store, 10).end()).body();

    assertThat(body.length()).isZero();
    assertThat(body.content().get().readAllBytes()).isEmpty();
    assertThat(body.crc32c()).isEqualTo(new Crc32c(0));
  }

  @Test
  void aPartGoesOutAsSoonAsItIsFull() throws IOException {
    Writing writing = writing(store, 10);
    writing.write("12345678");

    requests.awaitIdle();

    assertThat(store.calls(Operation.PART)).hasSize(1);
  }

  @Test
  void aMultipleOfThePartSizeHasNoEmptyLastPart() throws IOException {
    Writing writing = writing(store, 10);
    writing.write("1234567812345678");

    StagedObject.Parts content = (StagedObject.Parts) writing.end();

    assertThat(content.parts()).extracting(StagedPart::length).containsExactly(8L, 8L);
  }

  @Test
  void theLastByteBeyondAPartIsAPart() throws IOException {
    Writing writing = writing(store, 10);
    writing.write("123456789");

    complete((StagedObject.Parts) writing.end(), writing);

    assertThat(store.content(KEY)).isEqualTo(bytes("123456789"));
  }

  @Test
  void partsAreCutAtExactPositionsWhateverTheWritesAre() throws IOException {
    long seed = Long.getLong("seed", 4711);
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      byte[] all = new byte[random.nextInt(200)];
      random.nextBytes(all);
      InMemoryObjectStore fresh = InMemoryObjectStore.withPartsOfAtLeast("bucket", 8);
      Writing writing = writing(fresh, 100);
      for (int done = 0; done < all.length; ) {
        int count = 1 + random.nextInt(all.length - done);
        writing.output.write(all, done, count);
        done += count;
      }
      StagedObject.Content content = writing.end();
      String round_ = "seed " + seed + ", round " + round;
      assertThat(writing.output.crc32c()).as(round_).isEqualTo(Crc32c.of(all));
      if (content instanceof StagedObject.Parts parts) {
        fresh.complete(parts.upload(), parts.parts(), writing.output.crc32c(), Condition.ALWAYS);
        assertThat(fresh.content(KEY)).as(round_).isEqualTo(all);
        List<Long> lengths = fresh.partLengths(KEY);
        assertThat(lengths.subList(0, lengths.size() - 1))
            .as(round_)
            .allMatch(length -> length == 8);
      } else {
        byte[] whole = ((StagedObject.Whole) content).body().content().get().readAllBytes();
        assertThat(whole).as(round_).isEqualTo(all);
      }
    }
  }

  @Test
  void theByteBeyondTheLastPartIsRefusedBeforeItIsSent() throws IOException {
    Writing writing = writing(store, 2);
    writing.write("1234567812345678");

    assertThatThrownBy(() -> writing.write("9"))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("s3://bucket/" + KEY)
        .hasMessageContaining("more than 2 parts of 8 bytes")
        .hasMessageContaining("part_size_mib");
    requests.awaitIdle();
    assertThat(store.calls(Operation.PART)).hasSize(2);
  }

  @Test
  void theLastPartMayBeTheLastThatS3Takes() throws IOException {
    Writing writing = writing(store, 2);
    writing.write("1234567812345678");

    assertThat(((StagedObject.Parts) writing.end()).parts()).hasSize(2);
  }

  @Test
  void aBodyGivesTheSameBytesAsOftenAsItIsAsked() throws IOException {
    RunMemory memory = RunMemory.unbounded();
    PartBuffer buffer =
        new PartBuffer(200_000, new SegmentPool(1, memory), memory.open(() -> "accounts", 0, 0));
    byte[] all = new byte[150_000];
    new Random(1).nextBytes(all);
    fill(buffer, all);
    Body body = buffer.body();

    assertThat(body.content().get().readAllBytes()).isEqualTo(all);
    assertThat(body.content().get().readAllBytes()).isEqualTo(all);
    for (int read : new int[] {0, 1, 4096, 4097, 140_000, 150_000}) {
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      try (InputStream stream = body.content().get()) {
        written.write(stream.readNBytes(read));
        assertThat(stream.transferTo(written)).isEqualTo(all.length - read);
        assertThat(stream.read()).isNegative();
      }
      assertThat(written.toByteArray()).isEqualTo(all);
    }
    assertThat(body.crc32c()).isEqualTo(Crc32c.of(all));
  }

  @Test
  void segmentsOfAPartThatIsReleasedAreUsedAgain() {
    RunMemory memory = RunMemory.unbounded();
    ResourceMemory resource = memory.open(() -> "accounts", 0, 0);
    SegmentPool pool = new SegmentPool(2, memory);
    PartBuffer first = new PartBuffer(1 << 20, pool, resource);
    fill(first, new byte[1 << 20]);

    first.sent();
    first.release();
    byte[] kept = pool.take(resource);
    byte[] other = pool.take(resource);

    assertThat(kept).isNotNull().isNotSameAs(other).hasSize(SegmentPool.SEGMENT_BYTES);
    resource.sent(SegmentPool.SEGMENT_BYTES);
    pool.giveBack(List.of(kept), SegmentPool.SEGMENT_BYTES);
    assertThat(pool.take(resource)).isSameAs(kept);
    assertThat(pool.take(resource)).isNull();
  }

  @Test
  void aPartTakesMemoryForItsBytesAndNotForItsSize() {
    RunMemory memory = new RunMemory(100_000, 0, () -> 0);
    PartBuffer buffer =
        new PartBuffer(5L << 30, new SegmentPool(0, memory), memory.open(() -> "accounts", 0, 0));
    fill(buffer, new byte[10_000]);

    assertThat(memory.heldBytes()).isEqualTo((4 + 8) << 10);
  }

  @Test
  void aPartIsSentEarlyWhenMemoryIsScarceAndItIsLargeEnough() throws IOException {
    RunMemory memory = new RunMemory(40_000, 0, () -> 0);
    Writing writing =
        new Writing(new PartLimits(1 << 20, 10, 20_000, false), context(memory, store), memory);
    byte[] all = new byte[100_000];
    new Random(1).nextBytes(all);

    writing.writeAll(all);
    complete((StagedObject.Parts) writing.end(), writing);

    assertThat(store.content(KEY)).isEqualTo(all);
    assertThat(store.partLengths(KEY)).hasSizeGreaterThan(2);
    assertThat(store.partLengths(KEY).subList(0, 2)).allMatch(length -> length >= 20_000);
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(40_000);
  }

  @Test
  void firstPartThatIsSentEarlyGivesTheOthersItsSizeWhereAllMustBeEqual() throws IOException {
    RunMemory memory = new RunMemory(40_000, 0, () -> 0);
    Writing writing =
        new Writing(new PartLimits(1 << 20, 10, 20_000, true), context(memory, store), memory);
    byte[] all = new byte[100_000];
    new Random(1).nextBytes(all);

    writing.writeAll(all);
    complete((StagedObject.Parts) writing.end(), writing);

    assertThat(store.content(KEY)).isEqualTo(all);
    List<Long> lengths = store.partLengths(KEY);
    assertThat(lengths).hasSizeGreaterThan(2);
    assertThat(lengths.subList(0, lengths.size() - 1)).containsOnly(lengths.get(0));
    assertThat(lengths.get(0)).isBetween(20_000L, 40_000L);
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(40_000);
  }

  @Test
  void noPartBelowTheLeastIsSentEarly() {
    RunMemory memory = new RunMemory(40_000, 0, () -> 0);
    Writing writing = new Writing(PartLimits.ofPartSize(1 << 20), context(memory, store), memory);

    assertThatThrownBy(() -> writing.writeAll(new byte[100_000]))
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("memory_limit_mib");
    assertThat(store.calls()).isEmpty();
  }

  @Test
  void theSecondHalfOfTheNumbersIsForFullParts() {
    PartLimits limits = new PartLimits(100, 10, 20, false);

    assertThat(limits.mayBeSentEarly(19, 0)).isFalse();
    assertThat(limits.mayBeSentEarly(20, 4)).isTrue();
    assertThat(limits.mayBeSentEarly(20, 5)).isFalse();
    PartLimits equal = new PartLimits(100, 10, 20, true);
    assertThat(equal.mayBeSentEarly(20, 0)).isTrue();
    assertThat(equal.mayBeSentEarly(99, 1)).isFalse();
    assertThat(PartLimits.ofPartSize(16 << 20).withUnequalParts().leastBytes()).isEqualTo(5 << 20);
  }

  @ParameterizedTest
  @CsvSource({
    // set, room for parts, resources, size where parts must be equal, and elsewhere
    "16, 16, 9, 16, 16",
    "17, 16, 1, 16, 16",
    "64, 30, 2, 15, 30",
    "64, 30, 4, 7, 30",
    "64, 30, 7, 5, 30",
    "64, 30, 0, 5, 30",
    "64, 3, 1, 5, 5",
    "5, 3, 1, 5, 5",
  })
  void partsThatMemoryCanNotHoldAreLowered(
      int set, int room, int resources, int equal, int unequal) {
    PartLimits limits = PartLimits.ofPartSize(mib(set));

    assertThat(limits.within(mib(room), resources).partSizeBytes()).isEqualTo(mib(equal));
    assertThat(limits.withUnequalParts().within(mib(room), resources).partSizeBytes())
        .isEqualTo(mib(unequal));
    assertThat(limits.within(mib(room), resources).lowered()).isEqualTo(equal < set);
  }

  private static long mib(int count) {
    return (long) count << 20;
  }

  @Test
  void objectThatNeedsMoreLoweredPartsThanThereAreNamesBothSettings() throws IOException {
    RunMemory memory = RunMemory.unbounded();
    Writing writing =
        new Writing(new PartLimits(8, 2, 8, true, true), context(memory, store), memory);

    writing.write("1234567812345678");

    assertThatThrownBy(() -> writing.write("9"))
        .hasMessageContaining("set a larger part_size_mib, and a larger memory_limit_mib");
  }

  @Test
  void aPartThatCanNotBeSentIsNotWaitedFor() {
    RunMemory memory = new RunMemory(100, 0, () -> 0);
    requests.cancel();
    Writing writing = new Writing(new PartLimits(8, 10, 8, false), context(memory, store), memory);

    assertThatThrownBy(() -> writing.write("12345678")).hasMessageContaining("aborted");

    assertThat(memory.heldBytes()).isZero();
  }

  @Test
  void aFailedPartIsTheRunsFirstFailure() throws IOException {
    Writing writing = writing(new FaultyObjectStore(store).fail(Operation.PART, 1), 10);
    writing.write("12345678");
    requests.awaitIdle();

    assertThat(failure.first()).isInstanceOf(StoreException.class);
    assertThatThrownBy(writing::end).isSameAs(failure.first());
  }

  @Test
  void aPartThatComesBackShorterIsCaught() throws IOException {
    Writing writing = writing(new ShorteningStore(store), 10);
    writing.write("123456781");

    assertThatThrownBy(writing::end)
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("the parts have 7 bytes, the object 9");
  }

  @Test
  void anEndedObjectOfFewBytesMayBeSentAsItsOnlyPart() throws IOException {
    Writing writing = writing(store, 10);
    writing.write("123");
    assertThat(writing.end()).isInstanceOf(StagedObject.Whole.class);

    writing.output.sendEarly();
    complete((StagedObject.Parts) writing.output.staged(), writing);

    assertThat(store.content(KEY)).isEqualTo(bytes("123"));
    assertThat(store.partLengths(KEY)).containsExactly(3L);
  }

  @Test
  void anEndedObjectOfNoBytesIsNeverSentAsAPart() throws IOException {
    Writing writing = writing(store, 10);
    writing.end();

    writing.output.sendEarly();

    assertThat(writing.output.staged()).isInstanceOf(StagedObject.Whole.class);
    assertThat(store.calls()).isEmpty();
  }

  @Test
  void nothingIsWrittenAfterTheEnd() throws IOException {
    Writing writing = writing(store, 10);
    writing.write("12345678");
    writing.end();

    assertThatThrownBy(() -> writing.write("trailer"))
        .hasMessageContaining("after the object's end");
    assertThat(store.calls(Operation.START)).hasSize(1);
  }

  private Writing writing(ObjectStore target, int maxParts) {
    RunMemory memory = RunMemory.unbounded();
    return new Writing(
        new PartLimits(8, maxParts, Long.MAX_VALUE, true), context(memory, target), memory);
  }

  private UploadContext context(RunMemory memory, ObjectStore target) {
    return UploadContext.of(memory, 1, target, requests, failure, RunEvents.none());
  }

  private void complete(StagedObject.Parts parts, Writing writing) throws IOException {
    store.complete(parts.upload(), parts.parts(), writing.output.crc32c(), Condition.ALWAYS);
  }

  private static void fill(PartBuffer buffer, byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      if (buffer.mustGrow()) {
        assertThat(buffer.tryGrow()).isTrue();
      }
      at += buffer.write(bytes, at, bytes.length - at);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static final class Writing {

    private final MultipartUploader uploader;
    private final PartOutput output;
    private final ResourceMemory memory;

    Writing(PartLimits limits, UploadContext context, RunMemory run) {
      ObjectSpec spec =
          new ObjectSpec(
              "accounts",
              Schema.builder().required("id", FieldType.INT64).build(),
              new ObjectFormat(FileFormat.NDJSON, Compression.NONE),
              KEY,
              new ObjectHeaders("application/x-ndjson", Optional.empty(), Map.of()));
      this.uploader = new MultipartUploader(spec, limits, context);
      this.memory = run.open(spec::resource, 0, 0);
      this.output = new PartOutput(limits, uploader, context.segments(), memory);
      memory.relievedBy(
          new Relief() {
            @Override
            public void giveUpRecords() {}

            @Override
            public void cut() {}

            @Override
            public void send() throws IOException {
              output.sendEarly();
            }
          });
    }

    void write(String text) throws IOException {
      writeAll(bytes(text));
    }

    void writeAll(byte[] bytes) throws IOException {
      memory.enter();
      try {
        output.write(bytes, 0, bytes.length);
      } finally {
        memory.leave();
      }
    }

    StagedObject.Content end() throws IOException {
      output.end();
      return output.staged();
    }
  }

  /** Says of each part that it is one byte shorter, as a store that lost one would. */
  private record ShorteningStore(ObjectStore store) implements ObjectStore {

    @Override
    public StoreProfile profile() throws IOException {
      return store.profile();
    }

    @Override
    public Optional<SinkException> findConditions(String key) throws IOException {
      return store.findConditions(key);
    }

    @Override
    public String bucket() {
      return store.bucket();
    }

    @Override
    public ObjectStore hurried() {
      return this;
    }

    @Override
    public Optional<java.time.Instant> time() {
      return store.time();
    }

    @Override
    public void put(String key, Body body, ObjectHeaders headers, Condition condition)
        throws IOException {
      store.put(key, body, headers, condition);
    }

    @Override
    public Upload start(String key, ObjectHeaders headers) throws IOException {
      return store.start(key, headers);
    }

    @Override
    public StagedPart part(Upload upload, int number, Body body) throws IOException {
      StagedPart part = store.part(upload, number, body);
      return new StagedPart(part.number(), part.etag(), part.length() - 1, part.crc32c());
    }

    @Override
    public void complete(Upload upload, List<StagedPart> parts, Crc32c whole, Condition condition)
        throws IOException {
      store.complete(upload, parts, whole, condition);
    }

    @Override
    public void abort(Upload upload) throws IOException {
      store.abort(upload);
    }

    @Override
    public Optional<io.filament.sink.s3.internal.store.StoredObject> head(String key)
        throws IOException {
      return store.head(key);
    }

    @Override
    public List<Upload> uploads(String key) throws IOException {
      return store.uploads(key);
    }
  }
}

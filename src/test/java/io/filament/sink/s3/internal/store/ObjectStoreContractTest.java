package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link ObjectStore} promises. */
abstract class ObjectStoreContractTest {

  private static final ObjectHeaders HEADERS =
      new ObjectHeaders(
          "application/x-ndjson",
          Optional.of("gzip"),
          Map.of("filament-run", "r 1", "filament-attempt", "a=1"));

  /** An empty bucket. */
  abstract ObjectStore store();

  /** The level that the store is used at. */
  abstract ChecksumLevel level();

  /** Returns the bytes of a visible object. */
  abstract byte[] read(String key);

  /** The least size of a part that is not the last. */
  abstract int leastPartBytes();

  /** Whether the store refuses a put with a wrong checksum and tells a right one; some don't. */
  abstract boolean checksPuts();

  /** Whether of several conditional puts at one time exactly one wins. */
  abstract boolean putsAtomically();

  @Test
  void objectThatWasPutIsThereWithLengthChecksumAndMetadata() throws IOException {
    byte[] content = "{\"id\":1}\n".getBytes(UTF_8);

    store().put("a/b.ndjson", body(content), HEADERS, Condition.ALWAYS);

    assertThat(read("a/b.ndjson")).isEqualTo(content);
    StoredObject stored = store().head("a/b.ndjson").orElseThrow();
    assertThat(stored.length()).isEqualTo(content.length);
    if (level() == ChecksumLevel.NONE) {
      assertThat(stored.crc32c()).isEmpty();
      assertThat(stored.etag()).hasValue(Md5Etag.of(body(content)));
    } else if (checksPuts()) {
      assertThat(stored.crc32c()).isPresent();
    }
    assertThat(stored.crc32c().orElse(Crc32c.of(content))).isEqualTo(Crc32c.of(content));
    assertThat(stored.metadata()).isEqualTo(HEADERS.metadata());
  }

  @Test
  void profileHasTheLevelAndWhatRefusalsHaveShown() throws IOException {
    assertThat(store().profile().checksums()).isEqualTo(level());
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ABSENT);
    assertThat(store().profile().conditionalPuts()).isEqualTo(Conditions.UNKNOWN);

    refusal(() -> store().put("key", body("second".getBytes(UTF_8)), HEADERS, Condition.ABSENT));

    assertThat(store().profile().conditionalPuts()).isEqualTo(Conditions.HONOURED);
    assertThat(store().profile().conditionalCompletes()).isEqualTo(Conditions.UNKNOWN);
  }

  @Test
  void whatTheStoreMakesOfConditionsIsFoundOutAndNothingIsLeft() throws IOException {
    assertThat(store().findConditions("probe")).isEmpty();

    assertThat(store().profile().conditionalPuts()).isEqualTo(Conditions.HONOURED);
    assertThat(store().head("probe")).isEmpty();
    assertThat(store().uploads("probe")).isEmpty();
  }

  @Test
  void putReplacesWhatWasThere() throws IOException {
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);

    store().put("key", body("second".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);

    assertThat(read("key")).asString(UTF_8).isEqualTo("second");
  }

  @Test
  void objectMayBeEmpty() throws IOException {
    store().put("empty", body(new byte[0]), HEADERS, Condition.ALWAYS);

    assertThat(read("empty")).isEmpty();
    assertThat(store().head("empty").orElseThrow().length()).isZero();
  }

  @Test
  void lengthsCountBytesNotCharacters() throws IOException {
    byte[] content = "é😀".getBytes(UTF_8);

    store().put("key", body(content), HEADERS, Condition.ALWAYS);

    assertThat(store().head("key").orElseThrow().length()).isEqualTo(6);
    assertThat(read("key")).isEqualTo(content);
  }

  @Test
  void putWithAWrongChecksumLeavesNothing() throws IOException {
    assumeTrue(checksPuts() && level() != ChecksumLevel.NONE);
    Body wrong = withChecksum("right".getBytes(UTF_8), Crc32c.of("wrong".getBytes(UTF_8)));

    StoreException refusal = refusal(() -> store().put("key", wrong, HEADERS, Condition.ALWAYS));

    assertThat(refusal.statusCode()).isEqualTo(400);
    assertThat(store().head("key")).isEmpty();
  }

  @Test
  void putIfAbsentMakesAnObject() throws IOException {
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ABSENT);

    assertThat(read("key")).asString(UTF_8).isEqualTo("first");
    assertThat(store().head("key").orElseThrow().metadata()).isEqualTo(HEADERS.metadata());
  }

  @Test
  void putIfAbsentKeepsWhatIsThere() throws IOException {
    store().put("dir/key", body("first".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);

    StoreException refusal =
        refusal(
            () ->
                store().put("dir/key", body("second".getBytes(UTF_8)), HEADERS, Condition.ABSENT));

    assertThat(refusal.statusCode()).isEqualTo(412);
    assertThat(refusal.operation()).isEqualTo("PutObject");
    assertThat(refusal.bucket()).isEqualTo(store().bucket());
    assertThat(refusal.key()).isEqualTo("dir/key");
    assertThat(refusal)
        .hasMessageContaining("PutObject s3://" + store().bucket() + "/dir/key: ")
        .hasMessageContaining("there is an object at the key");
    assertThat(read("dir/key")).asString(UTF_8).isEqualTo("first");
  }

  @Test
  void ofSeveralConditionalPutsExactlyOneWins() throws Exception {
    assumeTrue(putsAtomically());
    int writers = 6;
    CyclicBarrier together = new CyclicBarrier(writers);
    List<Callable<Boolean>> puts = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      byte[] content = ("writer " + i).getBytes(UTF_8);
      puts.add(
          () -> {
            together.await();
            try {
              store().put("key", body(content), HEADERS, Condition.ABSENT);
              return true;
            } catch (StoreException e) {
              assertThat(e.statusCode()).isEqualTo(412);
              return false;
            }
          });
    }

    List<Boolean> won = inParallel(puts);

    assertThat(won).containsOnlyOnce(true);
    assertThat(read("key")).asString(UTF_8).isEqualTo("writer " + won.indexOf(true));
  }

  @Test
  void uploadIsInvisibleUntilItIsComplete() throws IOException {
    Upload upload = store().start("key", HEADERS);
    StagedPart part = store().part(upload, 1, body("content".getBytes(UTF_8)));
    assertThat(store().head("key")).isEmpty();
    assertThat(store().uploads("key")).containsExactly(upload);

    store().complete(upload, List.of(part), Crc32c.of("content".getBytes(UTF_8)), Condition.ALWAYS);

    assertThat(read("key")).asString(UTF_8).isEqualTo("content");
    assertThat(store().uploads("key")).isEmpty();
  }

  @Test
  void partsMakeTheObjectInTheOrderOfTheirNumbers() throws Exception {
    byte[] first = random(leastPartBytes(), 1);
    byte[] second = random(leastPartBytes(), 2);
    byte[] last = random(3, 3);
    Upload upload = store().start("key", HEADERS);

    List<StagedPart> sent =
        inParallel(
            List.of(
                () -> store().part(upload, 3, body(last)),
                () -> store().part(upload, 2, body(second)),
                () -> store().part(upload, 1, body(first))));
    byte[] whole = joined(first, second, last);
    List<StagedPart> parts = List.of(sent.get(2), sent.get(1), sent.get(0));
    store().complete(upload, parts, Crc32c.of(whole), Condition.ALWAYS);

    assertThat(read("key")).isEqualTo(whole);
    StoredObject stored = store().head("key").orElseThrow();
    assertThat(stored.length()).isEqualTo(whole.length);
    switch (level()) {
      case FULL_OBJECT -> assertThat(stored.crc32c()).hasValue(Crc32c.of(whole));
      case COMPOSITE -> assertThat(stored.composite()).hasValue(CompositeCrc32c.of(parts));
      case NONE -> assertThat(stored.etag()).isPresent().isEqualTo(Md5Etag.of(parts));
    }
    assertThat(stored.metadata()).isEqualTo(HEADERS.metadata());
  }

  @Test
  void stagedPartSaysWhatWasSent() throws IOException {
    Upload upload = store().start("key", HEADERS);

    StagedPart part = store().part(upload, 7, body("content".getBytes(UTF_8)));

    assertThat(part.number()).isEqualTo(7);
    assertThat(part.length()).isEqualTo(7);
    assertThat(part.crc32c()).isEqualTo(Crc32c.of("content".getBytes(UTF_8)));
    assertThat(part.etag()).isNotBlank();
  }

  @Test
  void sameNumberAgainReplacesThePart() throws IOException {
    Upload upload = store().start("key", HEADERS);
    store().part(upload, 1, body("first try".getBytes(UTF_8)));
    StagedPart part = store().part(upload, 1, body("second".getBytes(UTF_8)));

    store().complete(upload, List.of(part), Crc32c.of("second".getBytes(UTF_8)), Condition.ALWAYS);

    assertThat(read("key")).asString(UTF_8).isEqualTo("second");
  }

  @Test
  void completeReplacesWhatWasThere() throws IOException {
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);
    Upload upload = store().start("key", HEADERS);
    StagedPart part = store().part(upload, 1, body("second".getBytes(UTF_8)));

    store().complete(upload, List.of(part), Crc32c.of("second".getBytes(UTF_8)), Condition.ALWAYS);

    assertThat(read("key")).asString(UTF_8).isEqualTo("second");
  }

  @Test
  void completeUnderAConditionKeepsWhatIsThereAndTheUpload() throws IOException {
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);
    Upload upload = store().start("key", HEADERS);
    List<StagedPart> parts = List.of(store().part(upload, 1, body("second".getBytes(UTF_8))));
    Crc32c whole = Crc32c.of("second".getBytes(UTF_8));

    StoreException refusal =
        refusal(() -> store().complete(upload, parts, whole, Condition.ABSENT));

    assertThat(refusal.statusCode()).isEqualTo(412);
    assertThat(refusal).hasMessageContaining("there is an object at the key");
    assertThat(read("key")).asString(UTF_8).isEqualTo("first");
    store().complete(upload, parts, whole, Condition.ALWAYS);
    assertThat(read("key")).asString(UTF_8).isEqualTo("second");
  }

  @Test
  void completeWhereNothingIsMeetsItsCondition() throws IOException {
    Upload upload = store().start("key", HEADERS);
    StagedPart part = store().part(upload, 1, body("content".getBytes(UTF_8)));

    store().complete(upload, List.of(part), Crc32c.of("content".getBytes(UTF_8)), Condition.ABSENT);

    assertThat(read("key")).asString(UTF_8).isEqualTo("content");
  }

  @Test
  void objectIsReplacedAsLongAsItIsTheOneThatWasSeen() throws IOException {
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ABSENT);
    Condition seen =
        Condition.unchanged(store().head("key").orElseThrow().version().orElseThrow().etag());

    store().put("key", body("second".getBytes(UTF_8)), HEADERS, seen);

    assertThat(read("key")).asString(UTF_8).isEqualTo("second");
  }

  @Test
  void objectsVersionIsNotYoungerThanTheStoresTime() throws IOException {
    store().put("key", body("first".getBytes(UTF_8)), HEADERS, Condition.ABSENT);

    StoredObject.Version version = store().head("key").orElseThrow().version().orElseThrow();

    assertThat(version.lastModified().truncatedTo(ChronoUnit.SECONDS))
        .isBeforeOrEqualTo(store().time().orElseThrow());
  }

  @Test
  void partWithAWrongChecksumIsRefused() throws IOException {
    assumeTrue(level() != ChecksumLevel.NONE);
    Upload upload = store().start("key", HEADERS);
    Body wrong = withChecksum("right".getBytes(UTF_8), Crc32c.of("wrong".getBytes(UTF_8)));

    StoreException refusal = refusal(() -> store().part(upload, 1, wrong));

    assertThat(refusal.statusCode()).isEqualTo(400);
    assertThat(refusal.operation()).isEqualTo("UploadPart");
  }

  @Test
  void completeWithAWrongChecksumLeavesNothingVisible() throws IOException {
    assumeTrue(level() == ChecksumLevel.FULL_OBJECT);
    Upload upload = store().start("key", HEADERS);
    StagedPart part = store().part(upload, 1, body("content".getBytes(UTF_8)));

    StoreException refusal =
        refusal(
            () ->
                store()
                    .complete(
                        upload,
                        List.of(part),
                        Crc32c.of("other".getBytes(UTF_8)),
                        Condition.ALWAYS));

    assertThat(refusal.statusCode()).isEqualTo(400);
    assertThat(refusal.operation()).isEqualTo("CompleteMultipartUpload");
    assertThat(store().head("key")).isEmpty();
  }

  @Test
  void smallPartBeforeTheLastIsRefusedAtTheEnd() throws IOException {
    byte[] small = random(leastPartBytes() - 1, 4);
    byte[] last = random(1, 5);
    Upload upload = store().start("key", HEADERS);
    List<StagedPart> parts =
        List.of(store().part(upload, 1, body(small)), store().part(upload, 2, body(last)));

    StoreException refusal =
        refusal(
            () ->
                store().complete(upload, parts, Crc32c.of(joined(small, last)), Condition.ALWAYS));

    assertThat(refusal.errorCode()).isEqualTo("EntityTooSmall");
    assertThat(store().head("key")).isEmpty();
  }

  @Test
  void gapInThePartsIsRefusedBeforeAnythingIsSent() throws IOException {
    Upload upload = store().start("key", HEADERS);
    Crc32c whole = Crc32c.of("content".getBytes(UTF_8));
    StagedPart second = store().part(upload, 2, body("content".getBytes(UTF_8)));

    assertThatThrownBy(() -> store().complete(upload, List.of(second), whole, Condition.ALWAYS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("part 1 of 1 has number 2");
    assertThatThrownBy(() -> store().complete(upload, List.of(), whole, Condition.ALWAYS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an upload is completed with at least one part");
    assertThat(store().uploads("key")).containsExactly(upload);
  }

  @Test
  void abortedUploadIsGone() throws IOException {
    Upload upload = store().start("key", HEADERS);
    StagedPart part = store().part(upload, 1, body("content".getBytes(UTF_8)));

    store().abort(upload);

    assertThat(store().uploads("key")).isEmpty();
    StoreException refusal =
        refusal(
            () ->
                store()
                    .complete(
                        upload,
                        List.of(part),
                        Crc32c.of("content".getBytes(UTF_8)),
                        Condition.ALWAYS));
    assertThat(refusal.errorCode()).isEqualTo("NoSuchUpload");
    assertThat(store().head("key")).isEmpty();
  }

  @Test
  void secondAbortIsNoFailure() throws IOException {
    Upload upload = store().start("key", HEADERS);
    store().abort(upload);

    store().abort(upload);

    assertThat(store().uploads("key")).isEmpty();
  }

  @Test
  void abortLeavesOtherUploadsOfTheKey() throws IOException {
    Upload ours = store().start("key", HEADERS);
    Upload theirs = store().start("key", HEADERS);

    store().abort(ours);

    assertThat(store().uploads("key")).containsExactly(theirs);
  }

  @Test
  void uploadsAreThoseOfExactlyTheKey() throws IOException {
    Upload ours = store().start("dir/key", HEADERS);
    store().start("dir/key2", HEADERS);
    store().start("dir/key/below", HEADERS);
    store().start("dir", HEADERS);

    assertThat(store().uploads("dir/key")).containsExactly(ours);
    assertThat(store().uploads("dir/ke")).isEmpty();
  }

  @Test
  void absentObjectIsEmpty() throws IOException {
    assertThat(store().head("nothing/here")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local_pg/accounts/dt=2026-09-10/run.parquet",
        "données/日本/🙂",
        "a b%20c+d#e?f:g",
        "abc@def.com/x y  z/(1)!",
        "it's~*&$,;"
      })
  void keyIsTakenLiterally(String key) throws IOException {
    store().put(key, body("put".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);
    assertThat(read(key)).asString(UTF_8).isEqualTo("put");

    Upload upload = store().start(key, HEADERS);
    assertThat(store().uploads(key)).containsExactly(upload);
    StagedPart part = store().part(upload, 1, body("completed".getBytes(UTF_8)));
    store()
        .complete(upload, List.of(part), Crc32c.of("completed".getBytes(UTF_8)), Condition.ALWAYS);

    assertThat(read(key)).asString(UTF_8).isEqualTo("completed");
    assertThat(store().head(key).orElseThrow().length()).isEqualTo(9);
  }

  @Test
  void interruptedThreadGetsAnExceptionAndKeepsItsFlag() throws IOException {
    store().put("key", body("content".getBytes(UTF_8)), HEADERS, Condition.ALWAYS);

    Thread.currentThread().interrupt();
    InterruptedIOException interruption =
        catchThrowableOfType(InterruptedIOException.class, () -> store().head("key"));
    boolean flag = Thread.interrupted();

    assertThat(interruption).isNotNull().hasMessageContaining("interrupted");
    assertThat(flag).isTrue();
  }

  private static StoreException refusal(ThrowingCallable call) {
    StoreException refusal = catchThrowableOfType(StoreException.class, call);
    assertThat(refusal).as("the store's refusal").isNotNull();
    return refusal;
  }

  private static Body body(byte[] content) {
    return withChecksum(content, Crc32c.of(content));
  }

  private static Body withChecksum(byte[] content, Crc32c crc32c) {
    return new Body(() -> new ByteArrayInputStream(content), content.length, crc32c);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] joined(byte[]... pieces) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      whole.writeBytes(piece);
    }
    return whole.toByteArray();
  }

  private static <T> List<T> inParallel(List<Callable<T>> calls) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}

package io.filament.sink.s3.internal.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.CommitStateUnknownException;
import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.IntegrityException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RunConflictException;
import io.filament.sink.RunManifest;
import io.filament.sink.Schema;
import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.object.FirstFailure;
import io.filament.sink.s3.internal.object.ObjectSpec;
import io.filament.sink.s3.internal.object.RequestPool;
import io.filament.sink.s3.internal.object.RunEvents;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.object.UploadContext;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.ChecksumLevel;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.StoredObject;
import io.filament.sink.s3.internal.store.Upload;
import io.filament.sink.s3.testing.Call;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.InMemoryObjectStore;
import io.filament.sink.s3.testing.Operation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RunCommitterTest {

  private static final String MANIFEST_KEY = "p/_runs/r/_SUCCESS.json";
  private static final ObjectFormat FORMAT = new ObjectFormat(FileFormat.NDJSON, Compression.NONE);
  private static final Answer OVERTAKEN = new Answer(409, "ConditionalRequestConflict", null);
  private static final Attempt OURS =
      new Attempt("r", "token-a", Optional.empty(), Optional.empty());
  private static final Attempt OTHERS =
      new Attempt("r", "token-b", Optional.empty(), Optional.empty());

  private final InMemoryObjectStore store = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1);
  private final FaultyObjectStore faulty = new FaultyObjectStore(store);
  private final RequestPool requests = new RequestPool(2);

  @AfterEach
  void endRequests() {
    requests.cancel();
  }

  @Test
  void entriesAreOrderedByKeyAndTrue() throws IOException {
    List<RunManifest.Entry> entries =
        committer(OURS).complete(List.of(parts("b", "hello"), whole("a", "x")));

    assertThat(entries)
        .containsExactly(
            new RunManifest.Entry("a", "p/a/r.ndjson", "s3://bucket/p/a/r.ndjson", 1, 1, crc("x")),
            new RunManifest.Entry(
                "b", "p/b/r.ndjson", "s3://bucket/p/b/r.ndjson", 1, 5, crc("hello")));
    assertThat(store.content("p/b/r.ndjson")).asString().isEqualTo("hello");
  }

  @Test
  void keysBeyondTheBasicPlaneComeLastAsInAListing() throws IOException {
    List<RunManifest.Entry> entries =
        committer(OURS).complete(List.of(whole("\uD83D\uDE42", "x"), whole("\uFF0C", "y")));

    assertThat(entries)
        .extracting(RunManifest.Entry::name)
        .containsExactly("\uFF0C", "\uD83D\uDE42");
  }

  @Test
  void anObjectThatFailsKeepsTheOthersFromBeingForgotten() throws IOException {
    faulty.failKey(Operation.COMPLETE, "/b/");
    List<StagedObject> objects = List.of(parts("a", "1"), parts("b", "2"), parts("c", "3"));

    assertThatThrownBy(() -> committer(OURS).complete(objects))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("CompleteMultipartUpload s3://bucket/p/b/r.ndjson")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .anySatisfy(
                        s ->
                            assertThat(s)
                                .hasMessage(
                                    "2 objects are uploaded but not published: s3://bucket/p/a/r.ndjson, s3://bucket/p/c/r.ndjson")));
    assertThat(store.keys()).containsExactly("p/a/r.ndjson", "p/c/r.ndjson");
  }

  @Test
  void storeThatCanNotBeReachedIsNotAskedForTheOtherObjects() {
    faulty.refuseFrom(Operation.PUT, 1, Answer.NONE);
    List<StagedObject> objects =
        Stream.of("a", "b", "c", "d", "e", "f", "g", "h").map(name -> whole(name, "1")).toList();

    assertThatThrownBy(() -> committer(OURS).complete(objects)).isInstanceOf(StoreException.class);

    // Two are in flight at a time, and one waits for its turn when the first ends.
    assertThat(faulty.count(Operation.PUT)).isBetween(1, 4);
  }

  @Test
  void aLostAnswerToCompleteIsSettledByLooking() throws IOException {
    faulty.loseAnswer(Operation.COMPLETE, 1);

    assertThat(committer(OURS).complete(List.of(parts("a", "1")))).hasSize(1);
    assertThat(faulty.count(Operation.COMPLETE)).isEqualTo(1);
  }

  @Test
  void aLostAnswerToAPutIsSettledByLooking() throws IOException {
    faulty.loseAnswer(Operation.PUT, 1);

    assertThat(committer(OURS).complete(List.of(whole("a", "1")))).hasSize(1);
  }

  @Test
  void aLostRequestIsNotTakenForSuccess() {
    faulty.loseRequest(Operation.PUT, 1);

    assertThatThrownBy(() -> committer(OURS).complete(List.of(whole("a", "1"))))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void somebodyElsesObjectWithTheSameBytesIsNotTakenForOurs() throws IOException {
    store.put("p/a/r.ndjson", body("1"), headers(OTHERS), Condition.ALWAYS);
    faulty.loseRequest(Operation.PUT, 1);

    assertThatThrownBy(() -> committer(OURS).complete(List.of(whole("a", "1"))))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void anObjectThatIsNotWhatWasWrittenFailsTheCommit() throws IOException {
    StagedObject object = whole("a", "12");
    StagedObject wrong = new StagedObject(object.spec(), 1, 3, object.crc32c(), object.content());

    assertThatThrownBy(() -> committer(OURS).complete(List.of(wrong)))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("s3://bucket/p/a/r.ndjson: the store has 2 bytes, written were 3");
  }

  @ParameterizedTest
  @EnumSource(ChecksumLevel.class)
  void aByteThatTheStoreDropsFailsTheCommit(ChecksumLevel level) throws IOException {
    InMemoryObjectStore wrong = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1, level);
    wrong.damages(bytes -> Arrays.copyOf(bytes, bytes.length - 1));
    StagedObject small = whole("a", "12");
    StagedObject large = parts(wrong, "b", "12");

    assertThatThrownBy(() -> committer(wrong, OURS).complete(List.of(small)))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("s3://bucket/p/a/r.ndjson: the store has 1 bytes, written were 2");
    assertThatThrownBy(() -> committer(wrong, OURS).complete(List.of(large)))
        .hasMessageContaining("s3://bucket/p/b/r.ndjson: ")
        .hasMessageContaining(level == ChecksumLevel.FULL_OBJECT ? "CRC-32C" : "has 1 bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "FULL_OBJECT, the CRC-32C, CRC-32C",
    "COMPOSITE, the CRC-32C, the composite CRC-32C",
    "NONE, the ETag, the ETag"
  })
  void aByteThatTheStoreChangesFailsTheCommit(
      ChecksumLevel level, String ofThePut, String ofTheUpload) throws IOException {
    InMemoryObjectStore wrong = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1, level);
    wrong.damages(bytes -> new byte[bytes.length]);
    StagedObject small = whole("a", "12");
    StagedObject large = parts(wrong, "b", "12");

    assertThatThrownBy(() -> committer(wrong, OURS).complete(List.of(small)))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("HeadObject s3://bucket/p/a/r.ndjson: the store has " + ofThePut);
    assertThatThrownBy(() -> committer(wrong, OURS).complete(List.of(large)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("s3://bucket/p/b/r.ndjson: ")
        .hasMessageContaining(ofTheUpload);
  }

  @ParameterizedTest
  @EnumSource(ChecksumLevel.class)
  void whatTheStoreKeepsRightIsCompleteAtEveryLevel(ChecksumLevel level) throws IOException {
    InMemoryObjectStore right = InMemoryObjectStore.withPartsOfAtLeast("bucket", 1, level);

    assertThat(committer(right, OURS).complete(List.of(whole("a", "12"), parts(right, "b", "12"))))
        .hasSize(2);
  }

  @Test
  void theManifestIsPutOnceAndMarked() throws IOException {
    publish(OURS);

    assertThat(store.calls(Operation.PUT_MANIFEST))
        .containsExactly(new Call(Operation.PUT_MANIFEST, MANIFEST_KEY));
    assertThat(store.headers(MANIFEST_KEY))
        .isEqualTo(new ObjectHeaders("application/json", Optional.empty(), OURS.marks()));
    assertThat(ManifestJson.read(store.content(MANIFEST_KEY), "s3://bucket/" + MANIFEST_KEY))
        .isEqualTo(new RunManifest(1, "r", List.of(), "s3://bucket/" + MANIFEST_KEY));
  }

  @Test
  void aManifestThatExistsIsNeverOverwritten() throws IOException {
    publish(OTHERS);
    byte[] before = store.content(MANIFEST_KEY);

    assertThatThrownBy(() -> publish(OURS))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("s3://bucket/" + MANIFEST_KEY)
        .hasMessageContaining("run \"r\" was committed by another writer");
    assertThat(store.content(MANIFEST_KEY)).isEqualTo(before);
    assertThat(store.headers(MANIFEST_KEY).metadata()).isEqualTo(OTHERS.marks());
  }

  @Test
  void aManifestWhoseAnswerWasLostIsPublishedOnce() throws IOException {
    faulty.loseAnswer(Operation.PUT_MANIFEST, 1);

    publish(OURS);

    assertThat(faulty.count(Operation.PUT_MANIFEST)).isEqualTo(1);
  }

  @Test
  void aManifestThatNeverArrivesIsTriedAgain() throws IOException {
    faulty.loseRequest(Operation.PUT_MANIFEST, 1);

    publish(OURS);

    assertThat(store.keys()).containsExactly(MANIFEST_KEY);
  }

  @Test
  void aManifestThatCanNotBeLookedForLeavesTheStateUnknown() {
    faulty.loseAnswer(Operation.PUT_MANIFEST, 1).failFrom(Operation.HEAD, 1);

    assertThatThrownBy(() -> publish(OURS))
        .isInstanceOf(CommitStateUnknownException.class)
        .hasMessageContaining("s3://bucket/" + MANIFEST_KEY)
        .hasMessageContaining("nothing was deleted");
    assertThat(store.keys()).containsExactly(MANIFEST_KEY);
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void manifestThatAProxyGaveUpMayStillArrive(int status) {
    faulty.refuseFrom(Operation.PUT_MANIFEST, 1, new Answer(status, null, null));

    assertThatThrownBy(() -> publish(OURS)).isInstanceOf(CommitStateUnknownException.class);
  }

  @Test
  void aManifestThatTheStoreFailedToTakeIsKnownNotToBeThere() {
    faulty.failFrom(Operation.PUT_MANIFEST, 1);

    assertThatThrownBy(() -> publish(OURS)).isInstanceOf(StoreException.class);
    assertThat(store.keys()).isEmpty();
  }

  @Test
  void theObjectsOfACommittedRunAreLeftAlone() throws IOException {
    store.put("p/a/r.ndjson", body("theirs"), headers(OTHERS), Condition.ALWAYS);
    publish(OTHERS);

    assertThatThrownBy(() -> committer(OURS).complete(List.of(whole("a", "ours"))))
        .isInstanceOf(RunConflictException.class);
    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
  }

  /** Both begin before either commits, so the look of {@code open} finds nothing. */
  @Test
  void committedRunIsLeftAloneByAnotherWriterOnAStoreThatIgnoresConditions() throws IOException {
    store.ignoresConditions();
    List<StagedObject> ours = List.of(whole("a", "ours"), parts("b", "ours"));
    committer(OTHERS).complete(List.of(whole("a", "theirs"), parts("b", "theirs")));
    publish(OTHERS);
    byte[] manifest = store.content(MANIFEST_KEY);
    int writes = store.calls(Operation.PUT).size() + store.calls(Operation.COMPLETE).size();

    assertThatThrownBy(() -> committer(OURS).complete(ours))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("run \"r\" is already committed");

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
    assertThat(store.content("p/b/r.ndjson")).asString().isEqualTo("theirs");
    assertThat(store.content(MANIFEST_KEY)).isEqualTo(manifest);
    assertThat(store.calls(Operation.PUT).size() + store.calls(Operation.COMPLETE).size())
        .isEqualTo(writes);
  }

  @Test
  void whatAnEarlierAttemptHasLeftIsReplaced() throws IOException {
    store.put("p/a/r.ndjson", body("left"), headers(OTHERS), Condition.ALWAYS);
    store.put("p/b/r.ndjson", body("left"), headers(OTHERS), Condition.ALWAYS);
    Attempt ours = new Attempt("r", "token-a", store.time(), Optional.empty());

    committer(ours).complete(List.of(whole("a", "ours"), parts("b", "ours")));

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("ours");
    assertThat(store.content("p/b/r.ndjson")).asString().isEqualTo("ours");
  }

  @Test
  void anotherWritersObjectIsNotReplaced() throws IOException {
    Attempt ours = new Attempt("r", "token-a", store.time(), Optional.empty());
    List<StagedObject> objects = List.of(parts("a", "ours"));
    store.put("p/a/r.ndjson", body("theirs"), headers(OTHERS), Condition.ALWAYS);

    assertThatThrownBy(() -> committer(ours).complete(objects))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("CompleteMultipartUpload s3://bucket/p/a/r.ndjson")
        .hasMessageContaining("another writer of run \"r\"");

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
  }

  @Test
  void whoMakesTheObjectThatDecidesReplacesWhatTheOtherHasMade() throws IOException {
    Attempt ours = Attempt.begin("r", store.time(), Optional.of("p/a/r.ndjson"));
    Attempt theirs = Attempt.begin("r", store.time(), Optional.of("p/a/r.ndjson"));
    List<StagedObject> objects = List.of(parts("b", "ours"), whole("a", "ours"));
    store.put("p/b/r.ndjson", body("theirs"), headers(theirs), Condition.ALWAYS);

    committer(ours).complete(objects);

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("ours");
    assertThat(store.content("p/b/r.ndjson")).asString().isEqualTo("ours");
  }

  @Test
  void whoDoesNotMakeItReplacesNothing() throws IOException {
    Attempt ours = Attempt.begin("r", store.time(), Optional.of("p/a/r.ndjson"));
    Attempt theirs = Attempt.begin("r", store.time(), Optional.of("p/a/r.ndjson"));
    List<StagedObject> objects = List.of(parts("b", "ours"), parts("a", "ours"));
    store.put("p/a/r.ndjson", body("theirs"), headers(theirs), Condition.ALWAYS);
    store.put("p/b/r.ndjson", body("theirs"), headers(theirs), Condition.ALWAYS);

    assertThatThrownBy(() -> committer(ours).complete(objects))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("p/a/r.ndjson");

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
    assertThat(store.content("p/b/r.ndjson")).asString().isEqualTo("theirs");
  }

  @Test
  void writerOfOtherResourcesIsNotOvertaken() throws IOException {
    Attempt ours = Attempt.begin("r", store.time(), Optional.of("p/a/r.ndjson"));
    Attempt theirs = Attempt.begin("r", store.time(), Optional.of("p/b/r.ndjson"));
    List<StagedObject> objects = List.of(parts("b", "ours"), whole("a", "ours"));
    store.put("p/b/r.ndjson", body("theirs"), headers(theirs), Condition.ALWAYS);

    assertThatThrownBy(() -> committer(ours).complete(objects))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("p/b/r.ndjson");

    assertThat(store.content("p/b/r.ndjson")).asString().isEqualTo("theirs");
  }

  @Test
  void uploadIsToldFromALeftoverWhateverTheTimesSay() throws IOException {
    StagedObject object = parts("a", "ours");
    store.put("p/a/r.ndjson", body("theirs"), headers(OTHERS), Condition.ALWAYS);
    Attempt late = new Attempt("r", "token-a", store.time(), Optional.empty());

    assertThatThrownBy(() -> committer(late).complete(List.of(object)))
        .isInstanceOf(RunConflictException.class);

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
  }

  @Test
  void objectThatIsReplacedUnderOurHandsIsLookedAtAgain() throws IOException {
    store.put("p/a/r.ndjson", body("left"), headers(OTHERS), Condition.ALWAYS);
    Attempt ours = new Attempt("r", "token-a", store.time(), Optional.empty());
    faulty.spoil(
        Operation.HEAD,
        2,
        key -> {
          try {
            store.put(key, body("theirs"), headers(OTHERS), Condition.ALWAYS);
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });

    assertThatThrownBy(() -> committer(ours).complete(List.of(whole("a", "ours"))))
        .isInstanceOf(RunConflictException.class);

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
  }

  @Test
  void objectThatIsOvertakenByAnotherWritersIsAConflict() throws IOException {
    List<StagedObject> objects = List.of(parts("a", "ours"));
    store.put("p/a/r.ndjson", body("theirs"), headers(OTHERS), Condition.ALWAYS);
    faulty.refuse(Operation.COMPLETE, 1, OVERTAKEN);

    assertThatThrownBy(() -> committer(OURS).complete(objects))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("another writer of run \"r\" has made this object");
    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("theirs");
  }

  @Test
  void objectThatIsOvertakenByItselfIsComplete() throws IOException {
    StagedObject object = parts("a", "ours");
    StagedObject.Parts content = (StagedObject.Parts) object.content();
    store.complete(content.upload(), content.parts(), object.crc32c(), Condition.ABSENT);
    faulty.refuse(Operation.COMPLETE, 1, OVERTAKEN);

    assertThat(committer(OURS).complete(List.of(object))).hasSize(1);
  }

  @Test
  void objectThatIsOvertakenByNothingFails() throws IOException {
    faulty.refuse(Operation.COMPLETE, 1, OVERTAKEN);
    List<StagedObject> objects = List.of(parts("a", "ours"));

    assertThatThrownBy(() -> committer(OURS).complete(objects))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.statusCode()).isEqualTo(409));
    assertThat(faulty.count(Operation.COMPLETE)).isEqualTo(1);
  }

  @Test
  void leftoverThatIsMadeAgainAndAgainIsAConflict() throws IOException {
    Attempt ours = new Attempt("r", "token-a", Optional.empty(), Optional.empty());
    store.put("p/a/r.ndjson", body("left"), headers(OTHERS), Condition.ALWAYS);
    for (int head = 1; head <= 4; head++) {
      String text = "theirs " + head;
      faulty.spoil(
          Operation.HEAD,
          head,
          key -> {
            try {
              store.put("p/a/r.ndjson", body(text), headers(OTHERS), Condition.ALWAYS);
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
    }

    assertThatThrownBy(() -> committer(ours).complete(List.of(whole("a", "ours"))))
        .isInstanceOf(RunConflictException.class)
        .hasMessage(
            "PutObject s3://bucket/p/a/r.ndjson: another writer of run \"r\" makes this object"
                + " again and again");
    assertThat(faulty.count(Operation.PUT)).isEqualTo(3);
  }

  @Test
  void storeThatRefusesTheEtagThatItShowsIsToldFromAnotherWriter() throws IOException {
    store.put("p/a/r.ndjson", body("left"), headers(OTHERS), Condition.ALWAYS);
    faulty.refuseFrom(Operation.PUT, 1, new Answer(412, "PreconditionFailed", null));

    assertThatThrownBy(() -> committer(OURS).complete(List.of(whole("a", "ours"))))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.statusCode()).isEqualTo(412))
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0])
                    .hasMessageContaining("meets the condition that was refused")
                    .hasMessageContaining("the store does not compare as S3 does"));
  }

  @ParameterizedTest
  @CsvSource({"501,NotImplemented", "400,InvalidArgument"})
  void storeWithoutConditionalWritesIsWrittenToWithout(int status, String code) throws IOException {
    faulty.refuse(Operation.COMPLETE, 1, new Answer(status, code, null));

    committer(OURS).complete(List.of(parts("a", "ours")));

    assertThat(store.content("p/a/r.ndjson")).asString().isEqualTo("ours");
  }

  @Test
  void aCommittedRunIsRefusedBeforeItBegins() throws IOException {
    publish(OTHERS);

    assertThatThrownBy(() -> RunCommitter.checkUncommitted(requests, store, MANIFEST_KEY, "r"))
        .isInstanceOf(RunConflictException.class)
        .hasMessageContaining("run \"r\" is already committed");
  }

  @Test
  void anInterruptDoesNotLeaveTheManifestInDoubt() throws IOException {
    Thread.currentThread().interrupt();

    publish(OURS);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.keys()).containsExactly(MANIFEST_KEY);
  }

  @Test
  void aRunIdBeyondAsciiIsEncodedInTheMetadata() {
    assertThat(new Attempt("a %é", "t", Optional.empty(), Optional.empty()).marks())
        .containsEntry(Attempt.RUN_NAME, "a%20%25%C3%A9")
        .containsEntry(Attempt.TOKEN_NAME, "t");
    assertThat(
            new Attempt("é".repeat(500), "t", Optional.empty(), Optional.empty())
                .marks()
                .get(Attempt.RUN_NAME))
        .hasSizeLessThan(1030);
  }

  private RunCommitter committer(Attempt attempt) {
    return committer(faulty, attempt);
  }

  private RunCommitter committer(ObjectStore target, Attempt attempt) {
    return new RunCommitter(context(target), attempt, MANIFEST_KEY);
  }

  private void publish(Attempt attempt) throws IOException {
    committer(attempt).publish(List.of(), Instant.EPOCH, FORMAT);
  }

  private UploadContext context(ObjectStore target) {
    return UploadContext.of(
        RunMemory.unbounded(), 1, target, requests, new FirstFailure(), RunEvents.none());
  }

  private StagedObject parts(String resource, String text) throws IOException {
    return parts(store, resource, text);
  }

  private static StagedObject parts(ObjectStore target, String resource, String text)
      throws IOException {
    ObjectSpec spec = spec(resource);
    Optional<String> there =
        target.head(spec.key()).flatMap(StoredObject::version).map(StoredObject.Version::etag);
    Upload upload = target.start(spec.key(), spec.headers());
    StagedPart part = target.part(upload, 1, body(text));
    return staged(spec, text, new StagedObject.Parts(upload, List.of(part), there));
  }

  private static StagedObject whole(String resource, String text) {
    return staged(spec(resource), text, new StagedObject.Whole(body(text)));
  }

  private static StagedObject staged(ObjectSpec spec, String text, StagedObject.Content content) {
    return new StagedObject(spec, 1, text.length(), body(text).crc32c(), content);
  }

  private static ObjectSpec spec(String resource) {
    return new ObjectSpec(
        resource,
        Schema.builder().required("id", FieldType.INT64).build(),
        FORMAT,
        "p/" + resource + "/r.ndjson",
        headers(OURS));
  }

  private static ObjectHeaders headers(Attempt attempt) {
    return new ObjectHeaders("application/x-ndjson", Optional.empty(), attempt.marks());
  }

  private static Body body(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new Body(() -> new ByteArrayInputStream(bytes), bytes.length, Crc32c.of(bytes));
  }

  private static String crc(String text) {
    return body(text).crc32c().hex();
  }
}

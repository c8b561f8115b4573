package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.S3Client;

/** A store is asked once, by one thread, and only what it has shown is remembered. */
@Timeout(30)
class StoreMemoryTest {

  private static final StoreProfile COMPOSITE =
      StoreProfile.probed(ChecksumLevel.COMPOSITE, Optional.empty());

  private final StoreMemory memory = new StoreMemory();
  private final AtomicInteger probes = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void manyThreadsAskOnce() throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      findings.add(new Finding(() -> held(COMPOSITE)));
    }
    released.countDown();

    for (Finding finding : findings) {
      assertThat(finding.result.join()).isEqualTo(COMPOSITE);
    }
    assertThat(memory.find(() -> held(COMPOSITE))).isEqualTo(COMPOSITE);
    assertThat(probes).hasValue(1);
    assertThat(memory.found()).contains(COMPOSITE);
  }

  @Test
  void aFailureIsTheFailureOfAllWhoWaitAndIsForgotten() throws Exception {
    StoreException silence = refusal(0, null);
    Finding first = new Finding(() -> failing(silence));
    begun.await();
    Finding second = new Finding(() -> held(COMPOSITE));
    second.awaitWaiting();
    released.countDown();

    assertThatThrownBy(first.result::join)
        .isInstanceOf(CompletionException.class)
        .hasCause(silence);
    assertThatThrownBy(second.result::join).hasCause(silence);
    assertThat(memory.found()).isEmpty();
    assertThat(memory.find(() -> COMPOSITE)).isEqualTo(COMPOSITE);
  }

  @Test
  void anInterruptOfWhoProbesLetsAnotherProbe() throws Exception {
    Finding first = new Finding(() -> held(COMPOSITE));
    begun.await();
    Finding second = new Finding(() -> COMPOSITE);
    second.awaitWaiting();

    first.thread.interrupt();

    assertThatThrownBy(first.result::join).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(second.result.join()).isEqualTo(COMPOSITE);
  }

  @Test
  void anInterruptOfWhoWaitsEndsItsWaitAlone() throws Exception {
    Finding first = new Finding(() -> held(COMPOSITE));
    begun.await();
    Finding second = new Finding(() -> COMPOSITE);
    second.awaitWaiting();

    second.thread.interrupt();

    assertThatThrownBy(second.result::join).hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(first.result).isNotDone();
    released.countDown();
    assertThat(first.result.join()).isEqualTo(COMPOSITE);
  }

  @Test
  void aStoreThatLetNobodyLookIsAskedAgain() throws IOException {
    StoreProfile fallback = StoreProfile.fallback("refused");

    assertThat(memory.find(() -> fallback)).isEqualTo(fallback);
    assertThat(memory.found()).isEmpty();
    assertThat(memory.find(() -> COMPOSITE)).isEqualTo(COMPOSITE);
  }

  @Test
  void misuseIsNotSwallowed() {
    assertThatThrownBy(
            () ->
                memory.find(
                    () -> {
                      throw new IllegalStateException("misuse");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(memory.found()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "412, PreconditionFailed, HONOURED",
    "412, , HONOURED",
    "501, , REFUSED",
    "400, NotImplemented, REFUSED",
    "403, AccessDenied, UNKNOWN",
    "0, , UNKNOWN"
  })
  void conditionsAreLearntFromRefusals(int status, String code, Conditions shown)
      throws IOException {
    memory.refusedPut(refusal(status, code));
    assertThat(memory.find(() -> COMPOSITE).conditionalPuts()).isEqualTo(shown);
    assertThat(memory.find(() -> COMPOSITE).conditionalCompletes()).isEqualTo(Conditions.UNKNOWN);

    memory.refusedComplete(refusal(status, code));
    assertThat(memory.find(() -> COMPOSITE).conditionalCompletes()).isEqualTo(shown);
  }

  @Test
  void whatWasLearntStaysThroughOtherRefusals() throws IOException {
    memory.refusedPut(refusal(412, "PreconditionFailed"));
    memory.refusedPut(refusal(503, "SlowDown"));

    assertThat(memory.find(() -> COMPOSITE).conditionalPuts()).isEqualTo(Conditions.HONOURED);
  }

  @Test
  void whatAProbeHasFoundStaysUnlessAnAnswerHasShownIt() throws IOException {
    memory.foundPuts(Conditions.UNKNOWN);
    memory.foundPuts(Conditions.IGNORED);
    memory.foundPuts(Conditions.UNKNOWN);
    assertThat(memory.puts()).isEqualTo(Conditions.IGNORED);
    assertThat(memory.find(() -> COMPOSITE).conditionalPuts()).isEqualTo(Conditions.IGNORED);

    memory.refusedPut(refusal(412, "PreconditionFailed"));
    memory.foundPuts(Conditions.IGNORED);

    assertThat(memory.puts()).isEqualTo(Conditions.HONOURED);
  }

  @Test
  void onlyOneTells() {
    assertThat(memory.isFirstToTell()).isTrue();
    assertThat(memory.isFirstToTell()).isFalse();
  }

  @Test
  void clientAndBucketShareAMemoryAndOthersDoNot() throws IOException {
    try (S3Stub stub = S3Stub.start();
        S3Client client = S3Clients.create("bucket", stub.settings());
        S3Client other = S3Clients.create("bucket", stub.settings())) {
      StoreMemory known = StoreProfiles.of(client, "bucket");

      assertThat(StoreProfiles.of(client, "bucket")).isSameAs(known);
      assertThat(StoreProfiles.of(client, "other")).isNotSameAs(known);
      assertThat(StoreProfiles.of(other, "bucket")).isNotSameAs(known);
    }
  }

  private StoreProfile held(StoreProfile profile) throws IOException {
    probes.incrementAndGet();
    begun.countDown();
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
    return profile;
  }

  private StoreProfile failing(IOException failure) throws IOException {
    held(COMPOSITE);
    throw failure;
  }

  private static StoreException refusal(int status, String code) {
    return new StoreException(
        new Request("PutObject", "bucket", "key"), new Answer(status, code, null), "refused", null);
  }

  /** A thread that wants to know. */
  private final class Finding {

    private final CompletableFuture<StoreProfile> result = new CompletableFuture<>();
    private final Thread thread;

    Finding(StoreMemory.Probe probe) {
      thread =
          new Thread(
              () -> {
                try {
                  result.complete(memory.find(probe));
                } catch (IOException | RuntimeException e) {
                  result.completeExceptionally(e);
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    void awaitWaiting() {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
  }
}

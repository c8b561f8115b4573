package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Condition;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.ObjectHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The planned faults happen where they were planned, and nowhere else. */
@Timeout(60)
class FaultyObjectStoreTest {

  private static final byte[] CONTENT = "content".getBytes(UTF_8);
  private static final Body BODY =
      new Body(() -> new ByteArrayInputStream(CONTENT), CONTENT.length, Crc32c.of(CONTENT));
  private static final ObjectHeaders HEADERS =
      new ObjectHeaders("text/plain", Optional.empty(), Map.of());

  private final InMemoryObjectStore memory = InMemoryObjectStore.withPartsOfAtLeast("bucket", 8);
  private final FaultyObjectStore store = new FaultyObjectStore(memory);

  @Test
  void onlyTheNthCallFails() throws IOException {
    store.fail(Operation.PUT, 2);

    store.put("1", BODY, HEADERS, Condition.ALWAYS);
    assertThatThrownBy(() -> store.put("2", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("PutObject s3://bucket/2: planned (status 500, InternalError");
    store.put("3", BODY, HEADERS, Condition.ALWAYS);

    assertThat(memory.keys()).containsExactly("1", "3");
    assertThat(store.count(Operation.PUT)).isEqualTo(3);
  }

  @Test
  void everyCallFromTheNthOnFails() throws IOException {
    store.failFrom(Operation.PUT, 2);

    store.put("1", BODY, HEADERS, Condition.ALWAYS);

    for (String key : new String[] {"2", "3"}) {
      assertThatThrownBy(() -> store.put(key, BODY, HEADERS, Condition.ALWAYS))
          .hasMessageContaining("planned");
    }
    assertThat(memory.keys()).containsExactly("1");
  }

  @Test
  void callsForAKeyFail() throws IOException {
    store.failKey(Operation.PUT, "orders/");

    store.put("accounts/1", BODY, HEADERS, Condition.ALWAYS);

    assertThatThrownBy(() -> store.put("orders/1", BODY, HEADERS, Condition.ALWAYS))
        .hasMessageContaining("planned");
    assertThat(memory.keys()).containsExactly("accounts/1");
  }

  @Test
  void lostAnswerIsOfARequestThatWasCarriedOut() {
    store.loseAnswer(Operation.PUT, 1);

    assertThatThrownBy(() -> store.put("key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.statusCode()).isZero())
        .hasMessageContaining("answer lost");
    assertThat(memory.keys()).containsExactly("key");
  }

  @Test
  void lostRequestDoesNothing() {
    store.loseRequest(Operation.PUT, 1);

    assertThatThrownBy(() -> store.put("key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.statusCode()).isZero())
        .hasMessageContaining("request lost");
    assertThat(memory.keys()).isEmpty();
  }

  @Test
  void callThatHangsGoesOnWhenItIsReleased() throws Exception {
    FaultyObjectStore.Hang hang = store.hang(Operation.PUT, 1);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              try {
                store.put("key", BODY, HEADERS, Condition.ALWAYS);
                done.complete(true);
              } catch (IOException e) {
                done.completeExceptionally(e);
              }
            });
    writer.start();
    hang.awaitReached();
    assertThat(memory.calls()).isEmpty();

    hang.release();

    assertThat(done.get()).isTrue();
    assertThat(memory.keys()).containsExactly("key");
  }

  @Test
  void interruptEndsAHangAndKeepsTheFlag() throws Exception {
    store.hang(Operation.PUT, 1);

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> store.put("key", BODY, HEADERS, Condition.ALWAYS))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("PutObject: interrupted");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(memory.keys()).isEmpty();
  }

  @Test
  void aRefusalHasThePlannedAnswerUntilTheStoreIsHealed() throws IOException {
    store.refuseFrom(Operation.HEAD, 2, new Answer(403, "AccessDenied", "id"));

    store.head("1");
    for (String key : new String[] {"2", "3"}) {
      assertThatThrownBy(() -> store.head(key))
          .hasMessage(
              "HeadObject s3://bucket/" + key + ": planned (status 403, AccessDenied, request id)");
    }
    store.heal();
    store.head("4");

    assertThat(store.struck()).isEqualTo(2);
  }

  @Test
  void aDelayedRequestIsCarriedOutWhenItIsDelivered() throws IOException {
    store.delayRequest(Operation.PUT, 1);

    assertThatThrownBy(() -> store.put("1", BODY, HEADERS, Condition.ALWAYS))
        .hasMessageContaining("request delayed");
    assertThat(memory.keys()).isEmpty();
    store.deliverDelayed();

    assertThat(memory.content("1")).isEqualTo(CONTENT);
  }

  @Test
  void aForgottenCallSeemsToSucceed() throws IOException {
    store.forget(Operation.PUT, 1);

    store.put("1", BODY, HEADERS, Condition.ALWAYS);

    assertThat(memory.keys()).isEmpty();
  }

  @Test
  void aSpoiltObjectDiffersFromWhatWasPut() throws IOException {
    store.spoil(Operation.PUT, 1, memory::corrupt).spoil(Operation.PUT, 2, memory::truncate);

    store.put("1", BODY, HEADERS, Condition.ALWAYS);
    store.put("2", BODY, HEADERS, Condition.ALWAYS);

    assertThat(memory.content("1")).asString().isEqualTo("contenu");
    assertThat(memory.content("2")).asString().isEqualTo("conten");
  }

  @Test
  void aCallWhoseAnswerHangsIsCarriedOutFirst() throws Exception {
    FaultyObjectStore.Hang hang = store.hangAnswer(Operation.PUT, 1);
    CompletableFuture<Void> call =
        CompletableFuture.runAsync(
            () -> {
              try {
                store.put("1", BODY, HEADERS, Condition.ALWAYS);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    hang.awaitReached();

    assertThat(hang.isReached()).isTrue();
    assertThat(memory.keys()).containsExactly("1");
    assertThat(call).isNotDone();
    hang.release();
    call.get();
  }
}

package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No upload is started that nobody hears of. */
@Timeout(30)
class UploadStartTest {

  private static final Upload UPLOAD = new Upload("key", "id");

  private final CompletableFuture<Upload> orphan = new CompletableFuture<>();
  private final CountDownLatch sent = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);

  @Test
  void uploadIsReturned() throws IOException {
    assertThat(start(Duration.ZERO).by(() -> UPLOAD)).isEqualTo(UPLOAD);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(orphan).isNotDone();
  }

  @Test
  void failureIsThrownAsItIs() {
    SinkException refusal = new SinkException("refused");

    assertThatThrownBy(
            () ->
                start(Duration.ZERO)
                    .by(
                        () -> {
                          throw refusal;
                        }))
        .isSameAs(refusal);
  }

  @Test
  void misuseIsThrownAsItIs() {
    IllegalStateException misuse = new IllegalStateException("misuse");

    assertThatThrownBy(
            () ->
                start(Duration.ZERO)
                    .by(
                        () -> {
                          throw misuse;
                        }))
        .isSameAs(misuse);
  }

  @Test
  void interruptedThreadSendsNothing() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> start(Duration.ZERO).by(this::answerWhenTold))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("starting: interrupted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(sent.getCount()).isOne();
  }

  @Test
  void answerSoonAfterAnInterruptIsKept() throws Exception {
    CompletableFuture<Upload> kept = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                kept.complete(start(Duration.ofSeconds(20)).by(this::answerWhenTold));
              } catch (IOException e) {
                kept.completeExceptionally(e);
              }
              flag.complete(Thread.currentThread().isInterrupted());
            });
    caller.start();
    sent.await();
    caller.interrupt();

    answered.countDown();

    assertThat(kept.get()).isEqualTo(UPLOAD);
    assertThat(flag.get()).isTrue();
    assertThat(orphan).isNotDone();
  }

  @Test
  void answerThatComesTooLateIsAnOrphan() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                start(Duration.ZERO).by(this::answerWhenTold);
                failure.complete(null);
              } catch (IOException e) {
                failure.complete(e);
              }
              flag.complete(Thread.currentThread().isInterrupted());
            });
    caller.start();
    sent.await();
    caller.interrupt();
    assertThat(failure.get())
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("starting: interrupted");
    assertThat(flag.get()).isTrue();

    answered.countDown();

    assertThat(orphan.get()).isEqualTo(UPLOAD);
  }

  private UploadStart start(Duration moment) {
    return new UploadStart("starting", moment, orphan::complete);
  }

  private Upload answerWhenTold() throws IOException {
    sent.countDown();
    try {
      answered.await();
    } catch (InterruptedException e) {
      throw new IOException("the request was interrupted", e);
    }
    return UPLOAD;
  }
}

package io.filament.sink.s3.internal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.StoreException.Answer;
import io.filament.sink.StoreException.Request;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreReachTest {

  private final StoreReach reach = new StoreReach();

  @ParameterizedTest
  @ValueSource(ints = {0, 502, 503, 504})
  void storeThatDoesNotAnswerIsLostFromThenOn(int status) throws Exception {
    StoreException failure = failure(status);

    assertThatThrownBy(() -> reach.watched(failing(failure)).call()).isSameAs(failure);
    assertThat(reach.watched(() -> "answer").call()).isEqualTo("answer");

    assertThat(reach.isLost()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 412, 500, 501})
  void storeThatRefusesOrFailsIsThere(int status) {
    StoreException failure = failure(status);

    assertThatThrownBy(() -> reach.watched(failing(failure)).call()).isSameAs(failure);

    assertThat(reach.isLost()).isFalse();
  }

  @Test
  void failureOfOursSaysNothingOfTheStore() {
    SinkException failure = new SinkException("the run was aborted");

    assertThatThrownBy(() -> reach.watched(failing(failure)).call()).isSameAs(failure);

    assertThat(reach.isLost()).isFalse();
  }

  private static Callable<String> failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  private static StoreException failure(int status) {
    return new StoreException(
        new Request("PutObject", "bucket", "key"), new Answer(status, null, null), "", null);
  }
}

package io.filament.sink.s3.internal.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many requests may be in flight after a store asked for fewer. */
class PaceTest {

  private final Pace pace = new Pace(8);
  private final List<Thread> requests = Stream.generate(Thread::new).limit(8).toList();

  @Test
  void oneOverloadIsOneReductionHoweverManyRequestsHearOfIt() {
    requests.forEach(pace::begin);

    requests.forEach(pace::slowDown);

    assertThat(pace.limit()).isEqualTo(4);
  }

  @Test
  void requestThatHearsItAgainReducesFurther() {
    pace.begin(requests.get(0));

    pace.slowDown(requests.get(0));
    pace.slowDown(requests.get(0));

    assertThat(pace.limit()).isEqualTo(2);
  }

  @Test
  void oneRequestIsAlwaysAllowed() {
    pace.begin(requests.get(0));
    for (int i = 0; i < 10; i++) {
      pace.slowDown(requests.get(0));
    }

    assertThat(pace.limit()).isEqualTo(1);
  }

  @Test
  void aRoundWithoutOverloadAllowsOneMore() {
    pace.slowDown(new Thread());
    assertThat(pace.limit()).isEqualTo(4);

    round(3);
    assertThat(pace.limit()).isEqualTo(4);
    round(1);
    assertThat(pace.limit()).isEqualTo(5);
    round(5 + 6 + 7);
    assertThat(pace.limit()).isEqualTo(8);
    round(100);
    assertThat(pace.limit()).isEqualTo(8);
  }

  @Test
  void limitNeverGrowsBeyondItsCap() {
    pace.cap(5);
    assertThat(pace.limit()).isEqualTo(5);

    pace.slowDown(new Thread());
    round(100);
    assertThat(pace.limit()).isEqualTo(5);

    pace.cap(7);
    round(100);
    assertThat(pace.limit()).isEqualTo(5);
    pace.cap(0);
    assertThat(pace.limit()).isEqualTo(1);
  }

  @Test
  void requestsFromBeforeTheOverloadProveNothing() {
    requests.forEach(pace::begin);
    pace.slowDown(requests.get(0));

    requests.subList(1, 8).forEach(pace::end);

    assertThat(pace.limit()).isEqualTo(4);
  }

  private void round(int count) {
    for (int i = 0; i < count; i++) {
      pace.begin(requests.get(0));
      pace.end(requests.get(0));
    }
  }
}

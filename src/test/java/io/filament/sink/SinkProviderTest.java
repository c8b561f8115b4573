package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A provider without a test of writing does not pretend to have one. */
class SinkProviderTest {

  private final SinkProvider provider =
      new SinkProvider() {
        @Override
        public String name() {
          return "plain";
        }

        @Override
        public SinkSpec spec() {
          throw new AssertionError("not asked for");
        }

        @Override
        public Sink create(Map<String, ?> config) {
          throw new AssertionError("not asked for");
        }

        @Override
        public void validate(Map<String, ?> config) {
          throw new AssertionError("not asked for");
        }

        @Override
        public ConnectionReport testConnection(Map<String, ?> config) {
          return new ConnectionReport(true, List.of("reached"));
        }
      };

  @Test
  void readingIsTheTestThatThereIs() {
    assertThat(provider.testConnection(Map.of(), ConnectionLevel.READ))
        .isEqualTo(new ConnectionReport(true, List.of("reached")));
  }

  @Test
  void writingIsNotClaimed() {
    assertThat(provider.testConnection(Map.of(), ConnectionLevel.WRITE).messages())
        .containsExactly("reached", "This kind of sink has no test of writing, so none was made.");
  }
}

package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.SinkEvent.ConcurrencyChanged;
import io.filament.sink.SinkEvent.InFlight;
import io.filament.sink.SinkEvent.RequestRetried;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SinkEventTest {

  private static final RunManifest.Entry ENTRY =
      new RunManifest.Entry("a", "a/r", "s3://b/a/r", 1, 2, "0a1b2c3d");
  private static final RunManifest MANIFEST =
      new RunManifest(1, "r", List.of(ENTRY), "s3://b/_runs/r/_SUCCESS.json");
  private static final WriteReceipt RECEIPT = new WriteReceipt("a", 1, "s3://b/a/r", 2);
  private static final InFlight NONE = new InFlight(0, 0);
  private static final SinkEvent.RunTotals TOTALS =
      new SinkEvent.RunTotals(1, 2, 0, 0, Duration.ZERO, OptionalLong.empty());

  private final List<String> heard = new ArrayList<>();
  private final SinkListener older =
      new SinkListener() {
        @Override
        public void batchWritten(WriteReceipt receipt) {
          heard.add("batch " + receipt.resource());
        }

        @Override
        public void partUploaded(String resource, int partNumber, long bytes) {
          heard.add("part " + resource + " " + partNumber + " " + bytes);
        }

        @Override
        public void objectCompleted(RunManifest.Entry entry) {
          heard.add("object " + entry.name());
        }

        @Override
        public void runCommitted(RunManifest manifest) {
          heard.add("committed " + manifest.run());
        }

        @Override
        public void runAborted(String runId) {
          heard.add("aborted " + runId);
        }
      };

  @Test
  void anOlderListenerHearsWhatItKnows() {
    older.batchWritten(
        new SinkEvent.BatchWritten(RECEIPT, Duration.ofMillis(1), OptionalLong.empty()));
    older.partUploaded(new SinkEvent.PartUploaded("a", 7, 8, Duration.ofMillis(1), NONE));
    older.objectCompleted(new SinkEvent.ObjectCompleted(ENTRY, 1, Duration.ofMillis(1)));
    older.runCommitted(new SinkEvent.RunCommitted(MANIFEST, Duration.ofMillis(1), TOTALS));
    older.runAborted(new SinkEvent.RunAborted("r", TOTALS));

    assertThat(heard)
        .containsExactly("batch a", "part a 7 8", "object a", "committed r", "aborted r");
  }

  @Test
  void aReceiptOfFourValuesIsThatOfAnObjectWithoutALimit() {
    assertThat(RECEIPT).isEqualTo(new WriteReceipt("a", 1, "s3://b/a/r", 2, Long.MAX_VALUE));
  }

  @Test
  void aSmallerConcurrencyIsSlower() {
    assertThat(new ConcurrencyChanged(4, 2, 4).isSlower()).isTrue();
    assertThat(new ConcurrencyChanged(2, 3, 4).isSlower()).isFalse();
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> new InFlight(-1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("parts must not be negative: -1");
    assertThatThrownBy(() -> new SinkEvent.PartUploaded("a", 1, 8, Duration.ofNanos(-1), NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a duration must not be negative: PT-0.000000001S");
    assertThatThrownBy(() -> new ConcurrencyChanged(2, 3, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("before and now must be 1 to 2: 2, 3");
    assertThatThrownBy(() -> new RequestRetried("PutObject", "b", "k", 1, Duration.ZERO, "503"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tryNumber must be at least 2: 1");
  }
}

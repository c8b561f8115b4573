package io.filament.sink.s3;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.SinkListener;
import io.filament.sink.WriteReceipt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events on and contains what the host's listener throws: a display must not fail a run. */
final class ContainedListener implements SinkListener {

  private static final Logger LOG = LoggerFactory.getLogger(ContainedListener.class);

  private final SinkListener listener;

  ContainedListener(SinkListener listener) {
    this.listener = listener;
  }

  @Override
  public void runOpened(RunSpec run) {
    contained(() -> listener.runOpened(run));
  }

  @Override
  public void batchWritten(WriteReceipt receipt) {
    contained(() -> listener.batchWritten(receipt));
  }

  @Override
  public void partUploaded(String resource, int partNumber, long bytes) {
    contained(() -> listener.partUploaded(resource, partNumber, bytes));
  }

  @Override
  public void objectCompleted(RunManifest.Entry entry) {
    contained(() -> listener.objectCompleted(entry));
  }

  @Override
  public void runCommitted(RunManifest manifest) {
    contained(() -> listener.runCommitted(manifest));
  }

  @Override
  public void runAborted(String runId) {
    contained(() -> listener.runAborted(runId));
  }

  @SuppressWarnings("CatchingUnchecked") // an Error or a language without checked exceptions, too
  private static void contained(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      LOG.warn("The sink's listener failed; the run goes on", e);
    }
  }
}

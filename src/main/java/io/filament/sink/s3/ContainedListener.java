package io.filament.sink.s3;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkListener;
import io.filament.sink.WriteReceipt;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes events on to the host's listeners, and contains what each throws: a display must fail
 * neither a run nor another display.
 */
final class ContainedListener implements SinkListener {

  private static final Logger LOG = LoggerFactory.getLogger(ContainedListener.class);

  private final List<SinkListener> listeners;

  ContainedListener(List<SinkListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void runOpened(RunSpec run) {
    each(listener -> listener.runOpened(run));
  }

  @Override
  public void resourceDeclared(SinkEvent.ResourceDeclared event) {
    each(listener -> listener.resourceDeclared(event));
  }

  @Override
  public void batchWritten(SinkEvent.BatchWritten event) {
    each(listener -> listener.batchWritten(event));
  }

  @Override
  public void batchWritten(WriteReceipt receipt) {
    each(listener -> listener.batchWritten(receipt));
  }

  @Override
  public void writeWaited(SinkEvent.WriteWaited event) {
    each(listener -> listener.writeWaited(event));
  }

  @Override
  public void partStarted(SinkEvent.PartStarted event) {
    each(listener -> listener.partStarted(event));
  }

  @Override
  public void partUploaded(SinkEvent.PartUploaded event) {
    each(listener -> listener.partUploaded(event));
  }

  @Override
  public void partUploaded(String resource, int partNumber, long bytes) {
    each(listener -> listener.partUploaded(resource, partNumber, bytes));
  }

  @Override
  public void partFailed(SinkEvent.PartFailed event) {
    each(listener -> listener.partFailed(event));
  }

  @Override
  public void requestRetried(SinkEvent.RequestRetried event) {
    each(listener -> listener.requestRetried(event));
  }

  @Override
  public void concurrencyChanged(SinkEvent.ConcurrencyChanged event) {
    each(listener -> listener.concurrencyChanged(event));
  }

  @Override
  public void objectCompleted(SinkEvent.ObjectCompleted event) {
    each(listener -> listener.objectCompleted(event));
  }

  @Override
  public void objectCompleted(RunManifest.Entry entry) {
    each(listener -> listener.objectCompleted(entry));
  }

  @Override
  public void runCommitted(SinkEvent.RunCommitted event) {
    each(listener -> listener.runCommitted(event));
  }

  @Override
  public void runCommitted(RunManifest manifest) {
    each(listener -> listener.runCommitted(manifest));
  }

  @Override
  public void runFailed(SinkEvent.RunFailed event) {
    each(listener -> listener.runFailed(event));
  }

  @Override
  public void runAborted(SinkEvent.RunAborted event) {
    each(listener -> listener.runAborted(event));
  }

  @Override
  public void runAborted(String runId) {
    each(listener -> listener.runAborted(runId));
  }

  @SuppressWarnings("CatchingUnchecked") // an Error or a language without checked exceptions, too
  private void each(Consumer<SinkListener> call) {
    for (SinkListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (Throwable e) {
        LOG.warn("The sink's listener failed; the run goes on", e);
      }
    }
  }
}

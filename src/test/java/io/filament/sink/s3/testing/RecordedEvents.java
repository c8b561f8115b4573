package io.filament.sink.s3.testing;

import io.filament.sink.RunSpec;
import io.filament.sink.SinkEvent;
import io.filament.sink.SinkListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a listener hears, in the order in which it is heard. Any thread may call. */
public class RecordedEvents implements SinkListener {

  // Guarded by this.
  private final List<SinkEvent> events = new ArrayList<>();
  private int opened;

  /** Returns all events so far. */
  public synchronized List<SinkEvent> all() {
    return List.copyOf(events);
  }

  /** Returns the events of one type. */
  public <E extends SinkEvent> List<E> of(Class<E> type) {
    return all().stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Returns how many runs were opened. */
  public synchronized int opened() {
    return opened;
  }

  /** Keeps an event. */
  protected void heard(SinkEvent event) {
    synchronized (this) {
      events.add(event);
    }
  }

  @Override
  public synchronized void runOpened(RunSpec run) {
    opened++;
  }

  @Override
  public void resourceDeclared(SinkEvent.ResourceDeclared event) {
    heard(event);
  }

  @Override
  public void batchWritten(SinkEvent.BatchWritten event) {
    heard(event);
  }

  @Override
  public void writeWaited(SinkEvent.WriteWaited event) {
    heard(event);
  }

  @Override
  public void partStarted(SinkEvent.PartStarted event) {
    heard(event);
  }

  @Override
  public void partUploaded(SinkEvent.PartUploaded event) {
    heard(event);
  }

  @Override
  public void partFailed(SinkEvent.PartFailed event) {
    heard(event);
  }

  @Override
  public void requestRetried(SinkEvent.RequestRetried event) {
    heard(event);
  }

  @Override
  public void concurrencyChanged(SinkEvent.ConcurrencyChanged event) {
    heard(event);
  }

  @Override
  public void objectCompleted(SinkEvent.ObjectCompleted event) {
    heard(event);
  }

  @Override
  public void runCommitted(SinkEvent.RunCommitted event) {
    heard(event);
  }

  @Override
  public void runFailed(SinkEvent.RunFailed event) {
    heard(event);
  }

  @Override
  public void runAborted(SinkEvent.RunAborted event) {
    heard(event);
  }
}

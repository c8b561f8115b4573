package io.filament.sink.quickstart;

import io.filament.sink.RunManifest;
import io.filament.sink.SinkListener;
import io.filament.sink.WriteReceipt;

/** Shows how a run goes on: a dot for each batch, a line for each object, one for the end. */
final class Progress implements SinkListener {

  private final Console console;
  private String resource = "";

  Progress(Console console) {
    this.console = console;
  }

  @Override
  public synchronized void batchWritten(WriteReceipt receipt) {
    if (resource.isEmpty()) {
      console.begin("writing     ");
    }
    if (!receipt.resource().equals(resource)) {
      resource = receipt.resource();
      console.more(" " + resource + " ");
    }
    console.more(".");
  }

  @Override
  public synchronized void objectCompleted(RunManifest.Entry entry) {
    console.line(
        "%-12s %8s rows   %10s   crc32c %s"
            .formatted(
                entry.name(),
                Texts.count(entry.rows()),
                Texts.size(entry.bytes()),
                entry.crc32c()));
  }

  @Override
  public synchronized void runCommitted(RunManifest manifest) {
    console.line("%-12s %s".formatted("committed", manifest.uri()));
  }

  @Override
  public synchronized void runAborted(String runId) {
    console.line("%-12s %s".formatted("aborted", runId));
  }
}

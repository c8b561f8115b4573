package io.filament.sink.s3.internal.store;

import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.InterruptedIOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a run is told of conditions when it asks before it writes. */
final class RunConditions {

  private static final Logger LOG = LoggerFactory.getLogger(RunConditions.class);

  private RunConditions() {}

  /**
   * Returns why two writers are not kept apart, or may not be; empty if they are. Asks the store
   * only if its answers have not shown it yet.
   *
   * @throws InterruptedIOException if the thread was interrupted meanwhile
   */
  static Optional<String> find(String bucket, StoreMemory memory, PutProbe probe)
      throws InterruptedIOException {
    if (memory.puts() != Conditions.UNKNOWN) {
      return words(memory.puts(), Optional.empty());
    }
    PutProbe.Finding finding = probe.run();
    finding
        .left()
        .ifPresent(
            left ->
                LOG.warn(
                    "bucket {}: an object of one byte, or a delete marker, made to find out what the"
                        + " store makes of If-None-Match, may be left, and costs money until it is"
                        + " deleted: {}",
                    bucket,
                    left));
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(
          "interrupted while it was found out what the store makes of If-None-Match");
    }
    memory.foundPuts(finding.puts());
    return words(memory.puts(), finding.reason());
  }

  private static Optional<String> words(Conditions puts, Optional<String> reason) {
    return switch (puts) {
      case HONOURED -> Optional.empty();
      case IGNORED, REFUSED ->
          Optional.of(
              "If-None-Match is %s by the store: %s".formatted(puts.label(), ConditionProbe.RACE));
      case UNKNOWN ->
          Optional.of(
              "whether the store honours If-None-Match can't be found out; that takes an object of"
                  + " one byte which can surely be deleted again (s3:DeleteObject and"
                  + " s3:DeleteObjectVersion): "
                  + reason.orElse(""));
    };
  }
}

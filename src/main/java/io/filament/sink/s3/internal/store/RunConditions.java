package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.IOException;
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
   * @return a failure of the store that may pass as it is, else one that says what is missing
   * @throws InterruptedIOException if the thread was interrupted meanwhile
   */
  static Optional<SinkException> find(String bucket, StoreMemory memory, PutProbe probe)
      throws InterruptedIOException {
    Optional<IOException> failure = Optional.empty();
    if (memory.puts() == Conditions.UNKNOWN) {
      PutProbe.Finding finding = probe.run();
      finding.left().ifPresent(left -> warn(bucket, left));
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException(
            "interrupted while it was found out what the store makes of If-None-Match");
      }
      memory.foundPuts(finding.puts());
      failure = finding.failure();
      LOG.debug("bucket {}: If-None-Match, for puts: {}", bucket, finding.puts().label());
    }
    return missing("s3://" + bucket, memory.puts(), failure);
  }

  private static Optional<SinkException> missing(
      String bucket, Conditions puts, Optional<IOException> failure) {
    return switch (puts) {
      case HONOURED -> Optional.empty();
      case IGNORED ->
          Optional.of(
              new SinkException(
                  bucket + ": the store ignores If-None-Match for puts: " + ConditionProbe.RACE));
      case REFUSED ->
          Optional.of(
              new SinkException(
                  bucket + ": the store refuses If-None-Match for puts: " + ConditionProbe.RACE));
      case UNKNOWN -> failure.map(reason -> unknown(bucket, reason));
    };
  }

  private static SinkException unknown(String bucket, IOException reason) {
    if (reason instanceof StoreException passing && !ProfileProbe.says(passing)) {
      return passing;
    }
    return new SinkException(
        bucket
            + ": it can't be found out whether the store honours If-None-Match for puts: "
            + reason.getMessage(),
        reason);
  }

  private static void warn(String bucket, String left) {
    LOG.warn(
        "bucket {}: an object of one byte, or a delete marker, which conditional_writes has made to"
            + " find out what the store makes of If-None-Match, may be left, and costs money until"
            + " it is deleted: {}",
        bucket,
        left);
  }
}

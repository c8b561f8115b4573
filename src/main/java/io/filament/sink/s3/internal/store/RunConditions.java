package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.StoreProfile.Conditions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.UUID;
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
   * @param key where only writers of the same run have an object, for the same purpose
   * @return a failure of the store that may pass as it is, else one that says what is missing
   * @throws StoreException if the keys are wrong, or there is no bucket
   * @throws InterruptedIOException if the thread was interrupted meanwhile
   */
  static Optional<SinkException> find(SdkObjectStore store, StoreMemory memory, String key)
      throws IOException {
    Optional<IOException> failure = Optional.empty();
    if (memory.puts() == Conditions.UNKNOWN) {
      PutProbe.Finding finding = tried(store, key);
      if (finding.puts() == Conditions.IGNORED) {
        // Another writer of the run may have deleted the object between two puts.
        finding = tried(store, key + "-" + UUID.randomUUID());
      }
      memory.foundPuts(finding.puts());
      failure = finding.failure();
    }
    return missing("s3://" + store.bucket(), memory.puts(), failure);
  }

  private static PutProbe.Finding tried(SdkObjectStore store, String key) throws IOException {
    PutProbe.Finding finding = store.putProbe(key).run();
    finding.left().ifPresent(left -> warn(store.bucket(), left));
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(
          "interrupted while it was found out what the store makes of If-None-Match");
    }
    if (finding.failure().orElse(null) instanceof StoreException e
        && (PlainWords.isOfKeys(e.errorCode()) || "NoSuchBucket".equals(e.errorCode()))) {
      throw e;
    }
    LOG.debug("bucket {}: If-None-Match, for puts: {}", store.bucket(), finding.puts().label());
    return finding;
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

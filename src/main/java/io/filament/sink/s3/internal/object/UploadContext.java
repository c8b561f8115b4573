package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.encode.EncodeThreads;
import io.filament.sink.s3.internal.store.ObjectStore;
import java.util.Objects;

/**
 * What all objects of a run share.
 *
 * @param threads compress what goes into them
 * @param segments are what their parts are made of
 * @param store where they go
 * @param requests makes their requests
 * @param failure gets the first failure of any of them
 * @param events tells of their parts
 */
public record UploadContext(
    EncodeThreads threads,
    SegmentPool segments,
    ObjectStore store,
    RequestPool requests,
    FirstFailure failure,
    RunEvents events) {

  /** 16 MiB: a part of the usual size, which is about what is given back at once. */
  private static final int KEPT_SEGMENTS = 256;

  public UploadContext {
    Objects.requireNonNull(threads, "threads");
    Objects.requireNonNull(segments, "segments");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(failure, "failure");
    Objects.requireNonNull(events, "events");
  }

  /**
   * Returns a context with threads of its own.
   *
   * @param encodeThreads how many compress, at least 1; 1 is the caller's own
   */
  public static UploadContext of(
      int encodeThreads,
      ObjectStore store,
      RequestPool requests,
      FirstFailure failure,
      RunEvents events) {
    return new UploadContext(
        EncodeThreads.of(encodeThreads),
        new SegmentPool(KEPT_SEGMENTS),
        store,
        requests,
        failure,
        events);
  }

  /** Ends the threads that compress, and waits for it. Requests go on. */
  public void endEncoding() {
    threads.end();
  }
}

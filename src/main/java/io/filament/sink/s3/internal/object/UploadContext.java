package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.encode.EncodeThreads;
import io.filament.sink.s3.internal.encode.Workspaces;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.store.ObjectStore;
import java.util.Objects;

/**
 * What all objects of a run share.
 *
 * @param memory bounds what they hold
 * @param threads encode and compress what goes into them
 * @param workspaces are what they are encoded with
 * @param segments are what their parts are made of
 * @param store where they go
 * @param requests makes their requests
 * @param failure gets the first failure of any of them
 * @param events tells of their parts
 */
public record UploadContext(
    RunMemory memory,
    EncodeThreads threads,
    Workspaces workspaces,
    SegmentPool segments,
    ObjectStore store,
    RequestPool requests,
    FirstFailure failure,
    RunEvents events) {

  /** 16 MiB: a part of the usual size, which is about what is given back at once. */
  private static final int KEPT_SEGMENTS = 256;

  /** How much of the memory, as its divisor, is kept for the next parts at most. */
  private static final int KEPT_SHARE = 8;

  public UploadContext {
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(threads, "threads");
    Objects.requireNonNull(workspaces, "workspaces");
    Objects.requireNonNull(segments, "segments");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(failure, "failure");
    Objects.requireNonNull(events, "events");
  }

  /**
   * Returns a context with threads of its own.
   *
   * @param memory bounds what they hold
   * @param encodeThreads how many encode and compress, at least 1; 1 is the caller's own
   */
  public static UploadContext of(
      RunMemory memory,
      int encodeThreads,
      ObjectStore store,
      RequestPool requests,
      FirstFailure failure,
      RunEvents events) {
    long kept = memory.limitBytes() / KEPT_SHARE / SegmentPool.SEGMENT_BYTES;
    return new UploadContext(
        memory,
        EncodeThreads.of(encodeThreads),
        new Workspaces(memory),
        new SegmentPool((int) Math.min(kept, KEPT_SEGMENTS), memory),
        store,
        requests,
        failure,
        events);
  }

  /** Ends the threads that compress, waits for it, and frees native memory. Requests go on. */
  public void endEncoding() {
    threads.end();
    workspaces.close();
  }
}

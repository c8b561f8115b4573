package io.filament.sink.s3.internal.encode;

import io.filament.sink.s3.internal.memory.ResourceMemory;

/**
 * What an encoder works with, beside its schema and its output.
 *
 * @param threads encode and compress; all resources of a run share them
 * @param workspaces are shared likewise
 * @param memory the resource's own
 */
public record EncodeContext(EncodeThreads threads, Workspaces workspaces, ResourceMemory memory) {

  /** Returns a context for an encoder that shares nothing and has no bound. */
  public static EncodeContext of(EncodeThreads threads) {
    return new EncodeContext(threads, Workspaces.unbounded(), ResourceMemory.unbounded());
  }
}

package io.filament.sink.s3.internal.memory;

/** Where a thread is that needs memory, which tells what it may do for it. */
enum Place {
  /** Before records are read: cut and send its own resource too. It gets nothing of its credit. */
  RECORDS,
  /** Between two steps of an encoder: cut and send its own resource too. */
  ENCODER,
  /** In the output: send its own resource's part too. */
  OUTPUT,
  /**
   * Where less would do: nothing but wait for parts in flight, and do without if that is in vain.
   */
  OPTIONAL,
  /** While something is written out to free memory: nothing but wait for parts in flight. */
  WRITING_OUT
}

package io.filament.sink.s3.internal.memory;

import java.io.IOException;

/** The right to work on a resource, which one thread has at a time. */
public interface Turn {

  /**
   * Does something in the resource's turn, unless another thread has it.
   *
   * @return whether it was done
   */
  boolean tryDo(Work work) throws IOException;

  /** What is done in a turn. */
  interface Work {

    void run() throws IOException;
  }
}

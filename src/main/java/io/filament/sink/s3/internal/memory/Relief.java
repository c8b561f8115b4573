package io.filament.sink.s3.internal.memory;

import java.io.IOException;

/**
 * Frees memory of one resource. Called by who has the resource's turn, and never while its encoder
 * or its output is in the middle of something.
 */
public interface Relief {

  /** Writes out early what the encoder collects, and lets go of what it keeps for later. */
  void cut() throws IOException;

  /**
   * Gives up the records that are being encoded, which are read again, unless this is in the middle
   * of one.
   */
  void giveUpRecords();

  /** Sends the part that is being filled, if the store takes it as it is. */
  void send() throws IOException;
}

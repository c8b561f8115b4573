package io.filament.sink.s3.internal.encode;

import java.io.Closeable;
import java.io.IOException;

/**
 * Writes checked records as bytes of one format. Used by one thread at a time.
 *
 * <p>The bytes go to the {@link java.io.OutputStream} that the encoder was made with, which it
 * never closes. After a failure only {@link #close} is called.
 */
interface Encoder extends Closeable {

  /**
   * Writes the records of a slice: all of them, unless they are given up on the way.
   *
   * @return how many were written
   */
  int encode(Slice slice) throws IOException;

  /** Returns whether it is in the middle of a record, which can't be given up then. */
  boolean isWithinRecord();

  /** Takes memory for what it keeps between two slices. */
  void settle() throws IOException;

  /**
   * Frees memory between two slices or steps: writes out what is collected, if that is enough to
   * pay, and lets go of what is kept for later. The records are the same, the bytes may be others.
   */
  void cut() throws IOException;

  /** Returns about how many bytes {@link #cut} would free. */
  long cuttableBytes();

  /** Ends the object: whatever closes an array, a file or a compressed stream. Called once. */
  void finish() throws IOException;

  /** Frees native memory. Writes nothing; idempotent. */
  @Override
  void close();
}

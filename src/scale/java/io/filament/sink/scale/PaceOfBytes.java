package io.filament.sink.scale;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Lets bytes pass at a rate, over all connections. Any thread may call. */
final class PaceOfBytes {

  /** What may be made up for: a thread that wakes late must not make the store slower. */
  private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final double bytesPerNano;
  // Guarded by this.
  private long free = System.nanoTime();

  /**
   * @param mibPerSecond the rate; 0 for none
   */
  PaceOfBytes(int mibPerSecond) {
    this.bytesPerNano = mibPerSecond * (double) (1 << 20) / TimeUnit.SECONDS.toNanos(1);
  }

  /** Returns when these bytes may have passed. */
  void pass(int bytes) throws IOException {
    if (bytesPerNano == 0) {
      return;
    }
    long until;
    synchronized (this) {
      free = Math.max(free, System.nanoTime() - CREDIT_NANOS) + (long) (bytes / bytesPerNano);
      until = free;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while bytes were held back");
    }
  }
}

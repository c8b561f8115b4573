package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.store.Crc32c;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Cuts the bytes of an object into parts at exact positions, whatever the writes are: some stores
 * (Cloudflare R2) take only parts of equal size. Used by one thread at a time.
 */
final class PartOutput extends OutputStream {

  /** The least that a part grows by when memory is scarce. */
  private static final int SCARCE_BYTES = 1024;

  /** And the most. */
  private static final int MOST_SCARCE_BYTES = 16 * 1024;

  private final PartLimits limits;
  private final MultipartUploader uploader;
  private final SegmentPool segments;
  private final ResourceMemory memory;
  private PartBuffer buffer;

  /** The checksum of the parts that were sent. */
  private Crc32c sent = Crc32c.EMPTY;

  private long length;
  private boolean ended;

  PartOutput(
      PartLimits limits, MultipartUploader uploader, SegmentPool segments, ResourceMemory memory) {
    this.limits = limits;
    this.uploader = uploader;
    this.segments = segments;
    this.memory = memory;
    this.buffer = new PartBuffer(uploader.partSizeBytes(), segments, memory);
  }

  /** Returns the bytes written. */
  long length() {
    return length;
  }

  /** Returns the checksum of the bytes written. */
  Crc32c crc32c() {
    return sent.then(buffer.crc32c(), buffer.length());
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int count) throws IOException {
    if (ended) {
      throw new IOException("bytes were written after the object's end");
    }
    int done = 0;
    while (done < count) {
      uploader.checkRoom();
      if (buffer.mustGrow()) {
        grow(count - done);
      }
      int taken = buffer.write(source, offset + done, count - done);
      length += taken;
      done += taken;
      if (buffer.isFull()) {
        send();
      }
    }
    sayIfSendable();
  }

  /** Ends the object: sends the rest if parts were sent before. */
  void end() throws IOException {
    ended = true;
    if (uploader.hasParts() && buffer.length() > 0) {
      send();
    }
    sayIfSendable();
  }

  /** Returns what keeps memory after the end: the bytes of an object of which none was sent. */
  long keptBytes() {
    return buffer.allocated();
  }

  /** Returns where the object's bytes are; waits for its parts. Called after {@link #end}. */
  StagedObject.Content staged() throws IOException {
    return uploader.hasParts() ? uploader.staged(length) : new StagedObject.Whole(buffer.body());
  }

  /**
   * Sends the part that is being filled, if the store takes it as it is; the last one may have any
   * size.
   */
  void sendEarly() throws IOException {
    if (ended) {
      if (buffer.length() > 0) {
        send();
      }
    } else if (limits.mayBeSentEarly(buffer.length(), uploader.count())) {
      uploader.sentEarly(buffer.length());
      send();
    }
  }

  /**
   * Gets memory for some of the next bytes, for which it may wait, and this part may be sent. It is
   * no more than they need when memory is scarce.
   */
  private void grow(int count) throws IOException {
    if (!buffer.tryGrow()) {
      sayIfSendable();
      int some = Math.max(SCARCE_BYTES, Math.min(count, MOST_SCARCE_BYTES));
      int size = (int) Math.min(some, buffer.room());
      memory.reserveForOutput(size);
      buffer.grow(size);
    }
  }

  private void sayIfSendable() {
    boolean mayBeSent = ended || limits.mayBeSentEarly(buffer.length(), uploader.count());
    memory.sendable(mayBeSent ? buffer.length() : 0);
  }

  private void send() throws IOException {
    PartBuffer full = buffer;
    sent = crc32c();
    buffer = new PartBuffer(uploader.partSizeBytes(), segments, memory);
    memory.sendable(0);
    full.sent();
    uploader.send(full);
  }
}

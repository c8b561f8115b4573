package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.Crc32c;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of an object into parts at exact positions, whatever the writes are: some stores
 * (Cloudflare R2) take only parts of equal size. Used by one thread at a time.
 */
final class PartOutput extends OutputStream {

  private final PartLimits limits;
  private final MultipartUploader uploader;
  private final SegmentPool segments;
  private PartBuffer buffer;

  /** The checksum of the parts that were sent. */
  private Crc32c sent = Crc32c.EMPTY;

  private long length;
  private boolean ended;

  PartOutput(PartLimits limits, MultipartUploader uploader, SegmentPool segments) {
    this.limits = limits;
    this.uploader = uploader;
    this.segments = segments;
    this.buffer = new PartBuffer(limits.partSizeBytes(), segments);
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
      int taken = buffer.write(source, offset + done, count - done);
      length += taken;
      done += taken;
      if (buffer.isFull()) {
        send();
      }
    }
  }

  /**
   * Ends the object: sends the rest if parts were sent before. Returns the whole object's bytes if
   * none were, else null.
   */
  StagedObject.@Nullable Whole end() throws IOException {
    ended = true;
    if (!uploader.hasParts()) {
      return new StagedObject.Whole(buffer.body());
    }
    if (buffer.length() > 0) {
      send();
    }
    return null;
  }

  private void send() throws IOException {
    PartBuffer full = buffer;
    sent = crc32c();
    buffer = new PartBuffer(limits.partSizeBytes(), segments);
    uploader.send(full);
  }
}

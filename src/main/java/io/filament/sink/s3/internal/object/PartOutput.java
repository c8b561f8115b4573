package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.Crc32c;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of an object into parts at exact positions, whatever the writes are: some stores
 * (Cloudflare R2) take only parts of equal size. Used by one thread at a time.
 */
final class PartOutput extends OutputStream {

  private final PartLimits limits;
  private final MultipartUploader uploader;
  private final CRC32C crc32c = new CRC32C();
  private PartBuffer buffer;
  private long length;
  private boolean ended;

  PartOutput(PartLimits limits, MultipartUploader uploader) {
    this.limits = limits;
    this.uploader = uploader;
    this.buffer = new PartBuffer(limits.partSizeBytes());
  }

  /** Returns the bytes written. */
  long length() {
    return length;
  }

  /** Returns the checksum of the bytes written. */
  Crc32c crc32c() {
    return Crc32c.of(crc32c);
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
      crc32c.update(source, offset + done, taken);
      length += taken;
      done += taken;
      if (buffer.isFull()) {
        PartBuffer full = buffer;
        buffer = new PartBuffer(limits.partSizeBytes());
        uploader.send(full.body());
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
      uploader.send(buffer.body());
    }
    return null;
  }
}

package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;

/** Writes records as JSON objects, with what stands between them chosen by the caller. */
final class JsonRecords {

  private final JsonOutput out;
  private final JsonValues.JsonObject object;
  private final ResourceMemory memory;

  /** What is reserved for the buffer. */
  private long held;

  private boolean isWithinRecord;

  JsonRecords(Schema schema, ResourceMemory memory, OutputStream out) {
    this.memory = memory;
    this.out = new JsonOutput(out);
    this.object = new JsonValues(this.out).new JsonObject(schema);
  }

  void writeRecord(Slice slice, int index) throws IOException {
    isWithinRecord = true;
    object.write(slice.vectors(), index);
    isWithinRecord = false;
    out.flushIfFull();
  }

  void writeRaw(String ascii) {
    out.text().put(ascii);
  }

  boolean isWithinRecord() {
    return isWithinRecord;
  }

  /** Hands everything over that was written. */
  void flush() throws IOException {
    out.flush();
  }

  /** Takes memory for the buffer as it is, which is empty and may be cut for it. */
  void settle() throws IOException {
    while (out.text().capacity() > held) {
      long more = out.text().capacity() - held;
      if (memory.reserve(more)) {
        held += more;
      }
    }
    memory.release(held - out.text().capacity());
    held = out.text().capacity();
  }

  long bufferBytes() {
    return held;
  }

  /** Gives the buffer's memory back; it is empty between slices. */
  void dropBuffer() {
    out.text().drop();
    memory.release(held);
    held = 0;
  }
}

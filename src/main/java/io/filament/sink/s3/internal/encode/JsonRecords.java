package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import java.io.IOException;
import java.io.OutputStream;

/** Writes records as JSON objects, with what stands between them chosen by the caller. */
final class JsonRecords {

  private final JsonOutput out;
  private final JsonValues.JsonObject object;

  JsonRecords(Schema schema, OutputStream out) {
    this.out = new JsonOutput(out);
    this.object = new JsonValues(this.out).new JsonObject(schema);
  }

  void writeRecord(Slice slice, int index) throws IOException {
    object.write(slice.vectors(), index);
    out.flushIfFull();
  }

  void writeRaw(String ascii) {
    out.text().put(ascii);
  }

  /** Hands everything over that was written. */
  void flush() throws IOException {
    out.flush();
  }
}

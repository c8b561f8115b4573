package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import java.io.IOException;
import java.io.OutputStream;

/** One JSON object a line, each ended by a line feed. */
final class NdjsonEncoder implements Encoder {

  private final JsonRecords records;

  NdjsonEncoder(Schema schema, OutputStream out) {
    this.records = new JsonRecords(schema, out);
  }

  @Override
  public void encode(Slice slice) throws IOException {
    for (int i = 0; i < slice.rows(); i++) {
      records.writeRecord(slice, i);
      records.writeRaw("\n");
    }
    records.flush();
  }

  /** There is nothing to end: each line is whole. */
  @Override
  public void finish() {}

  @Override
  public void close() {}
}

package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;

/** One JSON object a line, each ended by a line feed. */
final class NdjsonEncoder implements Encoder {

  private final JsonRecords records;

  NdjsonEncoder(Schema schema, ResourceMemory memory, OutputStream out) {
    this.records = new JsonRecords(schema, memory, out);
  }

  @Override
  public int encode(Slice slice) throws IOException {
    int row = 0;
    while (row < slice.rows() && slice.isThere()) {
      records.writeRecord(slice, row++);
      records.writeRaw("\n");
    }
    records.flush();
    return row;
  }

  @Override
  public boolean isWithinRecord() {
    return records.isWithinRecord();
  }

  @Override
  public void settle() throws IOException {
    records.settle();
  }

  @Override
  public void cut() {
    records.dropBuffer();
  }

  @Override
  public long cuttableBytes() {
    return records.bufferBytes();
  }

  /** There is nothing to end: each line is whole. */
  @Override
  public void finish() {
    records.dropBuffer();
  }

  @Override
  public void close() {}
}

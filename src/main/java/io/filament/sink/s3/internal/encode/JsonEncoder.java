package io.filament.sink.s3.internal.encode;

import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;

/** One JSON array, with each record on a line of its own. */
final class JsonEncoder implements Encoder {

  private final JsonRecords records;
  private boolean empty = true;

  JsonEncoder(Schema schema, ResourceMemory memory, OutputStream out) {
    this.records = new JsonRecords(schema, memory, out);
  }

  @Override
  public int encode(Slice slice) throws IOException {
    int row = 0;
    while (row < slice.rows() && slice.isThere()) {
      records.writeRaw(empty ? "[" : ",\n");
      empty = false;
      records.writeRecord(slice, row++);
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

  @Override
  public void finish() throws IOException {
    records.writeRaw(empty ? "[]" : "]");
    records.flush();
    records.dropBuffer();
  }

  @Override
  public void close() {}
}

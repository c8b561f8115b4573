package io.filament.sink.s3.internal.encode;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Encodes the batches of one resource as the bytes of one object; the door of this package.
 *
 * <p>Used by one thread at a time. After a failure only {@link #close} may be called.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class ResourceEncoder implements Closeable {

  /**
   * Refuses a schema that the format can't hold.
   *
   * @throws IllegalArgumentException with the resource, the field and the rule
   */
  public static void checkSchema(String resource, Schema schema, ObjectFormat format) {
    throw new UnsupportedOperationException();
  }

  /**
   * Returns an encoder that writes to {@code out}, which it never closes.
   *
   * @throws IOException if a compressor's native library can't be loaded
   */
  public static ResourceEncoder open(
      String resource, Schema schema, ObjectFormat format, OutputStream out) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Refuses a batch whose columns have another kind than their types take.
   *
   * @throws IllegalArgumentException with the resource, the field and the kinds
   */
  public void checkColumns(RecordBatch batch) {
    throw new UnsupportedOperationException();
  }

  /**
   * Encodes all records of a batch.
   *
   * @throws io.filament.sink.InvalidRecordException if a record doesn't fit; whole records before
   *     it may have been written
   * @throws IOException if {@code out} failed
   */
  public void write(RecordBatch batch) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Returns the records that were encoded. */
  public long rows() {
    throw new UnsupportedOperationException();
  }

  /** Ends the object. Called once, after the last batch. */
  public void finish() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Frees native memory. Writes nothing; idempotent. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}

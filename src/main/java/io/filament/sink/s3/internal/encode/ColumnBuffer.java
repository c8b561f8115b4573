package io.filament.sink.s3.internal.encode;

import java.io.IOException;

/** The values of one field in the row group that is being filled. Used by one thread at a time. */
interface ColumnBuffer {

  /** Takes the values from {@code from} to before {@code to}, and keeps nothing of the vector. */
  void put(Vector values, int from, int to);

  /** Ends a step of so many rows; steps end at the same rows however these are sliced. */
  void endStep(int rows);

  /** Returns about how many bytes are held. The same values take the same. */
  long bytes();

  /** Returns about how many bytes of memory it has, whether they are in use or not. */
  long allocated();

  /** Returns about how many bytes of memory {@link #put} would take more, rather too many. */
  long growth(Vector values, int from, int to);

  /** Writes the field's column chunks, and is empty once they are in the file. */
  void writeTo(PageOutput pages) throws IOException;
}

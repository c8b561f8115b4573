package io.filament.sink.s3.internal.encode;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.dictionary.DictionaryValuesWriter;
import org.apache.parquet.column.values.factory.DefaultValuesWriterFactory;
import org.apache.parquet.column.values.factory.ValuesWriterFactory;
import org.apache.parquet.column.values.fallback.FallbackValuesWriter;

/**
 * Makes the value writers of a row group's columns, and knows how large their dictionaries are.
 *
 * <p>Parquet itself forgets a dictionary that a column has given up after some pages, though it is
 * there until the row group ends.
 */
final class Dictionaries implements ValuesWriterFactory {

  private final ValuesWriterFactory writers = new DefaultValuesWriterFactory();
  private final List<DictionaryValuesWriter> dictionaries = new ArrayList<>();

  @Override
  public void initialize(ParquetProperties properties) {
    writers.initialize(properties);
  }

  @Override
  public ValuesWriter newValuesWriter(ColumnDescriptor column) {
    ValuesWriter writer = writers.newValuesWriter(column);
    if (writer instanceof FallbackValuesWriter<?, ?> twofold
        && twofold.initialWriter instanceof DictionaryValuesWriter dictionary) {
      dictionaries.add(dictionary);
    }
    return writer;
  }

  /** Returns how many bytes the dictionaries will take in the file. */
  long bytes() {
    long bytes = 0;
    for (DictionaryValuesWriter dictionary : dictionaries) {
      bytes += dictionary.getAllocatedSize() - dictionary.getBufferedSize();
    }
    return bytes;
  }
}

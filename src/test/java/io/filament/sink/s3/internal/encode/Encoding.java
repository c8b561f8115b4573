package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.ZstdInputStream;
import io.filament.sink.Column;
import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Encodes in memory, for tests. */
final class Encoding {

  static final ObjectFormat NDJSON = new ObjectFormat(FileFormat.NDJSON, Compression.NONE);
  static final ObjectFormat JSON = new ObjectFormat(FileFormat.JSON, Compression.NONE);

  /** The one field of the schemas of {@link #valueAs} and {@link #failureOf}. */
  static final String FIELD = "v";

  private Encoding() {}

  /** Returns the whole object of some batches. */
  static byte[] object(ObjectFormat format, Schema schema, RecordBatch... batches) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ResourceEncoder encoder =
        ResourceEncoder.open("things", schema, format, EncodeThreads.of(1), out)) {
      for (RecordBatch batch : batches) {
        encoder.checkColumns(batch);
        encoder.write(batch);
      }
      encoder.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Returns the NDJSON of some batches. */
  static String ndjson(Schema schema, RecordBatch... batches) {
    return new String(object(NDJSON, schema, batches), StandardCharsets.UTF_8);
  }

  static RecordBatch rows(Schema schema, Object[]... rows) {
    return RecordBatch.ofRows("things", schema, new ArrayList<>(Arrays.asList(rows)));
  }

  /** Returns the JSON text of a value in a nullable field. */
  static String valueAs(FieldType type, Object value) {
    Schema schema = Schema.builder().nullable(FIELD, type).build();
    String line = ndjson(schema, rows(schema, new Object[] {value}));
    return line.substring("{\"v\":".length(), line.length() - "}\n".length());
  }

  /** Returns the JSON text of the only value of a column. */
  static String valueAs(FieldType type, Column column) {
    Schema schema = Schema.builder().nullable(FIELD, type).build();
    String line = ndjson(schema, RecordBatch.ofColumns("things", schema, 1, List.of(column)));
    return line.substring("{\"v\":".length(), line.length() - "}\n".length());
  }

  /** Returns the failure of a value that doesn't fit. */
  static InvalidRecordException failureOf(FieldType type, Object value) {
    Schema schema = Schema.builder().required(FIELD, type).build();
    return failureOf(schema, rows(schema, new Object[] {value}));
  }

  /** Returns the failure of the only value of a column. */
  static InvalidRecordException failureOf(FieldType type, Column column) {
    Schema schema = Schema.builder().required(FIELD, type).build();
    return failureOf(schema, RecordBatch.ofColumns("things", schema, 1, List.of(column)));
  }

  /** Returns the failure of a batch. */
  static InvalidRecordException failureOf(Schema schema, RecordBatch batch) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    return catchThrowableOfType(
        InvalidRecordException.class,
        () -> {
          try (ResourceEncoder encoder =
              ResourceEncoder.open("things", schema, NDJSON, EncodeThreads.of(1), out)) {
            encoder.write(batch);
          }
        });
  }

  /** Returns what a reader sees of an object that is compressed as a whole. */
  static byte[] decompressed(ObjectFormat format, byte[] object) {
    try (InputStream in = new ByteArrayInputStream(object);
        InputStream plain =
            switch (format.compression()) {
              case NONE, SNAPPY -> in;
              case GZIP -> new GZIPInputStream(in);
              case ZSTD -> new ZstdInputStream(in);
            }) {
      return plain.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

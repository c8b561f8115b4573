package io.filament.sink.bench;

import io.filament.sink.Compression;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.s3.internal.encode.EncodeThreads;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** The sink's encoders, through their door. */
final class Encoding {

  static final ObjectFormat NDJSON = new ObjectFormat(FileFormat.NDJSON, Compression.NONE);

  /** All is done by the caller. */
  static final EncodeThreads ONE_THREAD = EncodeThreads.of(1);

  /** As the machine has cores. */
  static final EncodeThreads TWO_THREADS = EncodeThreads.of(2);

  private static final int JDK_BUFFER = 1 << 16;

  private Encoding() {}

  static void encode(RecordBatch batch, ObjectFormat format, OutputStream out) throws IOException {
    encode(batch, format, ONE_THREAD, out);
  }

  private static void encode(
      RecordBatch batch, ObjectFormat format, EncodeThreads threads, OutputStream out)
      throws IOException {
    try (ResourceEncoder encoder =
        ResourceEncoder.open(batch.resource(), batch.schema(), format, threads, out)) {
      encoder.write(batch);
      encoder.finish();
    }
  }

  /** Returns an encoder of the batch's resource, on the caller's thread. */
  static ResourceEncoder open(RecordBatch batch, ObjectFormat format, OutputStream out)
      throws IOException {
    return ResourceEncoder.open(batch.resource(), batch.schema(), format, ONE_THREAD, out);
  }

  static Side toFile(RecordBatch batch, ObjectFormat format, Path file) {
    return toFile(batch, format, ONE_THREAD, file);
  }

  static Side toFile(RecordBatch batch, ObjectFormat format, EncodeThreads threads, Path file) {
    return () -> {
      try (OutputStream out = Files.newOutputStream(file)) {
        encode(batch, format, threads, out);
      }
    };
  }

  static Side parquet(RecordBatch batch, Compression compression, Path file) {
    return toFile(batch, new ObjectFormat(FileFormat.PARQUET, compression), file);
  }

  /** The JDK's gzip on the thread that encodes, at the sink's level. */
  static Side jdkGzip(RecordBatch batch, Path file) {
    return () -> {
      try (OutputStream out = Files.newOutputStream(file);
          OutputStream gzip = new LevelledGzip(out)) {
        encode(batch, NDJSON, gzip);
      }
    };
  }

  private static final class LevelledGzip extends GZIPOutputStream {

    LevelledGzip(OutputStream out) throws IOException {
      super(out, JDK_BUFFER);
      def.setLevel(Integer.getInteger("bench.gzip.level", Deflater.DEFAULT_COMPRESSION));
    }
  }
}

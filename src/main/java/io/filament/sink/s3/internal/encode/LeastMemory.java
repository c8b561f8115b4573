package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.Schema;

/**
 * What encoders hold at least. The numbers are measured: the heap of many resources with one record
 * each, divided.
 */
final class LeastMemory {

  /** A JSON resource: its vectors, its buffer, what writes its values. */
  private static final long JSON_BYTES = 1 << 10;

  private static final long JSON_FIELD_BYTES = 512;

  /** The text of a few records. */
  private static final long JSON_START_BYTES = 1 << 10;

  /** A Parquet resource: its file and what describes it. */
  private static final long PARQUET_BYTES = 4 << 10;

  private static final long PARQUET_COLUMN_BYTES = 768;

  /** A stream before its first block is full: the block as it begins. */
  private static final long GZIP_BYTES = 2 << 10;

  /** The same, and a buffer for what was compressed. */
  private static final long ZSTD_BYTES = 10 << 10;

  /** What checks the texts of a field with JSON keeps its buffers. */
  private static final long JSON_TEXT_BYTES = 12 << 10;

  /** What compresses a member on the thread that writes. */
  private static final long DEFLATER_BYTES = 1 << 20;

  private LeastMemory() {}

  static long ofResource(Schema schema, ObjectFormat format) {
    long texts = JSON_TEXT_BYTES * jsonTexts(schema);
    long start = startOfResource(schema, format);
    if (format.format() == FileFormat.PARQUET) {
      return start + PARQUET_BYTES + texts + PARQUET_COLUMN_BYTES * leaves(schema);
    }
    long compressor =
        switch (format.compression()) {
          case GZIP -> GZIP_BYTES;
          case ZSTD -> ZSTD_BYTES;
          case NONE, SNAPPY -> 0;
        };
    return start + JSON_BYTES + texts + compressor + JSON_FIELD_BYTES * leaves(schema);
  }

  static long startOfResource(Schema schema, ObjectFormat format) {
    if (format.format() == FileFormat.PARQUET) {
      return ParquetEncoder.FIRST_BYTES * leaves(schema) + nested(schema);
    }
    return JSON_START_BYTES;
  }

  /** Returns what is there once, for all resources. */
  static long ofRun(ObjectFormat format) {
    if (format.format() == FileFormat.PARQUET) {
      return Workspaces.BYTES;
    }
    return switch (format.compression()) {
      case GZIP -> DEFLATER_BYTES;
      case ZSTD -> ZstdOutput.FULL_BYTES;
      case NONE, SNAPPY -> 0;
    };
  }

  private static long nested(Schema schema) {
    long bytes = 0;
    for (Field field : schema.fields()) {
      if (RowGroup.isNested(field.type())) {
        bytes += NestedColumns.LEAF_BYTES * leaves(field.type());
      }
    }
    return bytes;
  }

  private static long jsonTexts(Schema schema) {
    return schema.fields().stream().filter(field -> field.type() == FieldType.JSON).count();
  }

  private static int leaves(Schema schema) {
    return schema.fields().stream().map(Field::type).mapToInt(LeastMemory::leaves).sum();
  }

  private static int leaves(FieldType type) {
    if (type instanceof FieldType.ListType list) {
      return leaves(list.element());
    }
    if (type instanceof FieldType.StructType struct) {
      return leaves(struct.schema());
    }
    if (type instanceof FieldType.MapType map) {
      return leaves(map.key()) + leaves(map.value());
    }
    return 1;
  }
}

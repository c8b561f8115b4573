package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.Zstd;
import io.filament.sink.Compression;
import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.xerial.snappy.Snappy;

/** A Parquet file in memory, read with parquet-java's own reader, without Hadoop. */
final class ParquetFile implements InputFile {

  private final byte[] bytes;

  ParquetFile(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the file that the encoder makes of these rows, in one slice. */
  static ParquetFile of(Schema schema, Compression compression, List<? extends List<?>> rows) {
    return ofSlices(
        schema,
        compression,
        ParquetEncoder.ROW_GROUP_BYTES,
        List.of(TestVectors.slice(schema, rows)));
  }

  static ParquetFile ofSlices(
      Schema schema, Compression compression, long rowGroupBytes, Iterable<Slice> slices) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ParquetEncoder encoder = new ParquetEncoder(schema, compression, out, rowGroupBytes)) {
      for (Slice slice : slices) {
        encoder.encode(slice);
      }
      encoder.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ParquetFile(out.toByteArray());
  }

  /** Returns the rows, in the form that {@link TestVectors} takes. */
  List<List<Object>> rows(Schema schema) {
    List<List<Object>> rows = new ArrayList<>();
    try (ParquetFileReader reader = open()) {
      MessageType type = reader.getFooter().getFileMetaData().getSchema();
      PageReadStore pages;
      while ((pages = reader.readNextRowGroup()) != null) {
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(type)
                .getRecordReader(pages, new GroupRecordConverter(type));
        for (long row = 0; row < pages.getRowCount(); row++) {
          rows.add(struct(records.read(), schema));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /**
   * Returns the number of rows that a filter lets through, once with and once without the help of
   * statistics, dictionaries and page indexes.
   */
  long count(FilterPredicate predicate, boolean indexes) {
    FilterCompat.Filter filter = FilterCompat.get(predicate);
    long count = 0;
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            this,
            ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withCodecFactory(new Decompressors())
                .withRecordFilter(filter)
                .useStatsFilter(indexes)
                .useDictionaryFilter(indexes)
                .useColumnIndexFilter(indexes)
                .build())) {
      MessageType type = reader.getFooter().getFileMetaData().getSchema();
      PageReadStore pages;
      while ((pages = reader.readNextFilteredRowGroup()) != null) {
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(type)
                .getRecordReader(pages, new GroupRecordConverter(type), filter);
        for (long row = 0; row < pages.getRowCount(); row++) {
          if (records.read() != null && !records.shouldSkipCurrentRecord()) {
            count++;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count;
  }

  /** Returns the NDJSON of what is read, so that it can be compared with what the records are. */
  String ndjson(Schema schema) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Encoder encoder = new NdjsonEncoder(schema, ResourceMemory.unbounded(), out)) {
      encoder.encode(TestVectors.slice(schema, rows(schema)));
      encoder.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the footer as the reader understands it, with each column's indexes at hand. */
  ParquetFileReader open() throws IOException {
    return ParquetFileReader.open(
        this,
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new Decompressors())
            .usePageChecksumVerification()
            .build());
  }

  ParquetMetadata metadata() {
    try (ParquetFileReader reader = open()) {
      return reader.getFooter();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the footer as it is written, as the format's Thrift definition names it. */
  int footerStart() {
    int end = bytes.length - 8;
    return end - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
  }

  FileMetaData footer() {
    int start = footerStart();
    try {
      return Util.readFileMetaData(new ByteArrayInputStream(bytes, start, bytes.length - start));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Object> struct(Group group, Schema schema) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      Field field = schema.fields().get(i);
      values.add(group.getFieldRepetitionCount(i) == 0 ? null : value(group, i, field.type()));
    }
    return values;
  }

  private static Object value(Group group, int field, FieldType type) {
    if (type instanceof FieldType.StructType struct) {
      return struct(group.getGroup(field, 0), struct.schema());
    }
    if (type instanceof FieldType.ListType list) {
      Group entries = group.getGroup(field, 0);
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < entries.getFieldRepetitionCount(0); i++) {
        elements.add(part(entries.getGroup(0, i), 0, list.element()));
      }
      return elements;
    }
    if (type instanceof FieldType.MapType map) {
      Group entries = group.getGroup(field, 0);
      Map<Object, Object> values = new LinkedHashMap<>();
      for (int i = 0; i < entries.getFieldRepetitionCount(0); i++) {
        Group entry = entries.getGroup(0, i);
        values.put(part(entry, 0, map.key()), part(entry, 1, map.value()));
      }
      return values;
    }
    if (type instanceof FieldType.DecimalType decimal) {
      return decimal.precision() <= 9
          ? BigInteger.valueOf(group.getInteger(field, 0))
          : decimal.precision() <= 18
              ? BigInteger.valueOf(group.getLong(field, 0))
              : new BigInteger(group.getBinary(field, 0).getBytes());
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> group.getBoolean(field, 0);
      case INT16, INT32, DATE -> (long) group.getInteger(field, 0);
      case INT64, TIME, TIMESTAMP, TIMESTAMPTZ -> group.getLong(field, 0);
      case FLOAT32 -> group.getFloat(field, 0);
      case FLOAT64 -> group.getDouble(field, 0);
      case STRING, JSON, UUID, NUMERIC ->
          new String(group.getBinary(field, 0).getBytes(), StandardCharsets.UTF_8);
      case BYTES -> ByteBuffer.wrap(group.getBinary(field, 0).getBytes());
    };
  }

  private static Object part(Group group, int field, FieldType type) {
    return group.getFieldRepetitionCount(field) == 0 ? null : value(group, field, type);
  }

  @Override
  public long getLength() {
    return bytes.length;
  }

  @Override
  public SeekableInputStream newStream() {
    SeekableBytes in = new SeekableBytes(bytes);
    return new DelegatingSeekableInputStream(in) {
      @Override
      public long getPos() {
        return in.position();
      }

      @Override
      public void seek(long position) {
        in.seek(position);
      }
    };
  }

  private static final class SeekableBytes extends ByteArrayInputStream {

    SeekableBytes(byte[] bytes) {
      super(bytes);
    }

    long position() {
      return pos;
    }

    void seek(long position) {
      pos = Math.toIntExact(position);
    }
  }

  /** Parquet's own decompressors are Hadoop's, as its compressors are. */
  private static final class Decompressors implements CompressionCodecFactory {

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
      return new BytesInputDecompressor() {
        @Override
        public BytesInput decompress(BytesInput page, int size) throws IOException {
          return BytesInput.from(bytes(page.toInputStream().readAllBytes(), size));
        }

        private byte[] bytes(byte[] in, int size) throws IOException {
          return switch (name) {
            case UNCOMPRESSED -> in;
            case SNAPPY -> Snappy.uncompress(in);
            case ZSTD -> Zstd.decompress(in, size);
            case GZIP -> new GZIPInputStream(new ByteArrayInputStream(in)).readAllBytes();
            default -> throw new IOException("codec " + name);
          };
        }

        @Override
        public void decompress(ByteBuffer in, int inSize, ByteBuffer out, int outSize)
            throws IOException {
          byte[] page = new byte[inSize];
          in.get(page);
          out.put(Arrays.copyOf(bytes(page, outSize), outSize));
        }

        @Override
        public void release() {}
      };
    }

    @Override
    public void release() {}
  }
}

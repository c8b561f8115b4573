package io.filament.sink.bench;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.DecimalType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.xerial.snappy.Snappy;

/** parquet-java's own writers with their defaults, and snappy without Hadoop. */
final class ParquetPeers {

  private static final LocalDateTime EPOCH = LocalDateTime.parse("1970-01-01T00:00:00");

  private ParquetPeers() {}

  /** ParquetWriter, from rows. */
  static Side rows(Table table, Path file) {
    List<Object[]> rows = table.objects();
    return () -> {
      try (ParquetWriter<Object[]> writer =
          new RowBuilder(new LocalOutputFile(file), table.schema())
              .withConf(new PlainParquetConfiguration())
              .withCodecFactory(new SnappyFactory())
              .withCompressionCodec(CompressionCodecName.SNAPPY)
              .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
              .build()) {
        for (Object[] row : rows) {
          writer.write(row);
        }
      }
    };
  }

  /** parquet-avro, from generic records that are there. */
  static Side avro(Table table, Path file) {
    org.apache.avro.Schema schema = avroSchema(table.schema());
    List<GenericRecord> records =
        table.objects().stream().map(row -> record(schema, table.schema(), row)).toList();
    return () -> {
      try (ParquetWriter<GenericRecord> writer =
          AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(file))
              .withSchema(schema)
              .withDataModel(GenericData.get())
              .withConf(new PlainParquetConfiguration())
              .withCodecFactory(new SnappyFactory())
              .withCompressionCodec(CompressionCodecName.SNAPPY)
              .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
              .build()) {
        for (GenericRecord record : records) {
          writer.write(record);
        }
      }
    };
  }

  private static GenericRecord record(
      org.apache.avro.Schema schema, io.filament.sink.Schema ours, Object[] row) {
    GenericRecord record = new GenericData.Record(schema);
    for (int i = 0; i < row.length; i++) {
      record.put(i, row[i] == null ? null : plain(ours.fields().get(i).type(), row[i]));
    }
    return record;
  }

  private static Object plain(FieldType type, Object value) {
    if (value instanceof BigDecimal decimal) {
      return java.nio.ByteBuffer.wrap(decimal.unscaledValue().toByteArray());
    }
    if (value instanceof LocalDate date) {
      return (int) date.toEpochDay();
    }
    return type == FieldType.TIMESTAMP ? micros((LocalDateTime) value) : value;
  }

  private static long micros(LocalDateTime time) {
    return ChronoUnit.MICROS.between(EPOCH, time);
  }

  private static org.apache.avro.Schema avroSchema(io.filament.sink.Schema schema) {
    SchemaBuilder.FieldAssembler<org.apache.avro.Schema> fields =
        SchemaBuilder.record("bench").fields();
    for (Field field : schema.fields()) {
      org.apache.avro.Schema type = avroType(field.type());
      fields =
          field.nullable()
              ? fields
                  .name(field.name())
                  .type()
                  .unionOf()
                  .nullType()
                  .and()
                  .type(type)
                  .endUnion()
                  .nullDefault()
              : fields.name(field.name()).type(type).noDefault();
    }
    return fields.endRecord();
  }

  private static org.apache.avro.Schema avroType(FieldType type) {
    if (type instanceof DecimalType decimal) {
      return LogicalTypes.decimal(decimal.precision(), decimal.scale())
          .addToSchema(SchemaBuilder.builder().bytesType());
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> SchemaBuilder.builder().booleanType();
      case INT32 -> SchemaBuilder.builder().intType();
      case FLOAT64 -> SchemaBuilder.builder().doubleType();
      case STRING -> SchemaBuilder.builder().stringType();
      case DATE -> LogicalTypes.date().addToSchema(SchemaBuilder.builder().intType());
      case TIMESTAMP ->
          LogicalTypes.localTimestampMicros().addToSchema(SchemaBuilder.builder().longType());
      default -> SchemaBuilder.builder().longType();
    };
  }

  private static final class RowBuilder extends ParquetWriter.Builder<Object[], RowBuilder> {

    private final io.filament.sink.Schema schema;

    RowBuilder(OutputFile file, io.filament.sink.Schema schema) {
      super(file);
      this.schema = schema;
    }

    @Override
    protected RowBuilder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    protected WriteSupport<Object[]> getWriteSupport(org.apache.hadoop.conf.Configuration conf) {
      return new Rows(schema);
    }

    @Override
    protected WriteSupport<Object[]> getWriteSupport(ParquetConfiguration conf) {
      return new Rows(schema);
    }
  }

  private static final class Rows extends WriteSupport<Object[]> {

    private final io.filament.sink.Schema schema;
    private RecordConsumer consumer;

    Rows(io.filament.sink.Schema schema) {
      this.schema = schema;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    public WriteContext init(org.apache.hadoop.conf.Configuration conf) {
      throw new UnsupportedOperationException("there is no Hadoop");
    }

    @Override
    public WriteContext init(ParquetConfiguration conf) {
      return new WriteContext(messageType(schema), Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
    }

    @Override
    public void write(Object[] row) {
      consumer.startMessage();
      for (int i = 0; i < row.length; i++) {
        if (row[i] != null) {
          String name = schema.fields().get(i).name();
          consumer.startField(name, i);
          add(row[i]);
          consumer.endField(name, i);
        }
      }
      consumer.endMessage();
    }

    private void add(Object value) {
      if (value instanceof String text) {
        consumer.addBinary(Binary.fromString(text));
      } else if (value instanceof Long number) {
        consumer.addLong(number);
      } else if (value instanceof Integer number) {
        consumer.addInteger(number);
      } else if (value instanceof Double number) {
        consumer.addDouble(number);
      } else if (value instanceof Boolean bool) {
        consumer.addBoolean(bool);
      } else if (value instanceof BigDecimal decimal) {
        consumer.addLong(decimal.unscaledValue().longValue());
      } else if (value instanceof LocalDate date) {
        consumer.addInteger((int) date.toEpochDay());
      } else {
        consumer.addLong(micros((LocalDateTime) value));
      }
    }
  }

  private static MessageType messageType(io.filament.sink.Schema schema) {
    Types.MessageTypeBuilder message = Types.buildMessage();
    for (Field field : schema.fields()) {
      Type.Repetition repetition =
          field.nullable() ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED;
      message.addField(
          Types.primitive(physical(field.type()), repetition)
              .as(logical(field.type()))
              .named(field.name()));
    }
    return message.named("bench");
  }

  private static PrimitiveTypeName physical(FieldType type) {
    if (type instanceof DecimalType) {
      return PrimitiveTypeName.INT64;
    }
    return switch ((FieldType.Primitive) type) {
      case BOOLEAN -> PrimitiveTypeName.BOOLEAN;
      case INT32, DATE -> PrimitiveTypeName.INT32;
      case FLOAT64 -> PrimitiveTypeName.DOUBLE;
      case STRING -> PrimitiveTypeName.BINARY;
      default -> PrimitiveTypeName.INT64;
    };
  }

  private static LogicalTypeAnnotation logical(FieldType type) {
    if (type instanceof DecimalType decimal) {
      return LogicalTypeAnnotation.decimalType(decimal.scale(), decimal.precision());
    }
    return switch ((FieldType.Primitive) type) {
      case STRING -> LogicalTypeAnnotation.stringType();
      case DATE -> LogicalTypeAnnotation.dateType();
      case TIMESTAMP ->
          LogicalTypeAnnotation.timestampType(false, LogicalTypeAnnotation.TimeUnit.MICROS);
      default -> null;
    };
  }

  private static final class SnappyFactory implements CompressionCodecFactory {

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
      return new SnappyCompressor();
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
      throw new UnsupportedOperationException("nothing is read");
    }

    @Override
    public void release() {}
  }

  private static final class SnappyCompressor
      implements CompressionCodecFactory.BytesInputCompressor {

    @Override
    @SuppressWarnings("deprecation") // an array is what snappy-java takes
    public BytesInput compress(BytesInput bytes) throws IOException {
      byte[] input = bytes.toByteArray();
      byte[] output = new byte[Snappy.maxCompressedLength(input.length)];
      int length = Snappy.compress(input, 0, input.length, output, 0);
      return BytesInput.from(output, 0, length);
    }

    @Override
    public CompressionCodecName getCodecName() {
      return CompressionCodecName.SNAPPY;
    }

    @Override
    public void release() {}
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidRecordException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The frames of NDJSON and JSON around their records. */
class JsonFormatsTest {

  private static final Schema SCHEMA = Schema.builder().required("a", FieldType.INT32).build();

  /** The contract, for lines. */
  abstract static class LinesTest extends EncoderContractTest {

    private final ObjectFormat format;

    LinesTest(Compression compression) {
      this.format = new ObjectFormat(FileFormat.NDJSON, compression);
    }

    @Override
    ObjectFormat format() {
      return format;
    }

    @Override
    int recordsOf(byte[] object) {
      return JsonReader.readAll(Encoding.decompressed(format, object)).size();
    }
  }

  /** The contract, for an array. */
  abstract static class ArrayTest extends EncoderContractTest {

    private final ObjectFormat format;

    ArrayTest(Compression compression) {
      this.format = new ObjectFormat(FileFormat.JSON, compression);
    }

    @Override
    ObjectFormat format() {
      return format;
    }

    @Override
    int recordsOf(byte[] object) {
      List<Object> values = JsonReader.readAll(Encoding.decompressed(format, object));
      assertThat(values).hasSize(1);
      return ((List<?>) values.get(0)).size();
    }
  }

  @Nested
  class NdjsonTest extends LinesTest {
    NdjsonTest() {
      super(Compression.NONE);
    }
  }

  @Nested
  class NdjsonGzipTest extends LinesTest {
    NdjsonGzipTest() {
      super(Compression.GZIP);
    }
  }

  @Nested
  class NdjsonZstdTest extends LinesTest {
    NdjsonZstdTest() {
      super(Compression.ZSTD);
    }
  }

  @Nested
  class JsonTest extends ArrayTest {
    JsonTest() {
      super(Compression.NONE);
    }
  }

  @Nested
  class JsonGzipTest extends ArrayTest {
    JsonGzipTest() {
      super(Compression.GZIP);
    }
  }

  @Nested
  class JsonZstdTest extends ArrayTest {
    JsonZstdTest() {
      super(Compression.ZSTD);
    }
  }

  @Test
  void noRecordsAreNoBytesOfNdjson() {
    assertThat(Encoding.object(Encoding.NDJSON, SCHEMA)).isEmpty();
  }

  @Test
  void noRecordsAreAnEmptyArrayOfJson() {
    assertThat(json(Encoding.JSON)).isEqualTo("[]");
  }

  @Test
  void noRecordsAreAStreamOfJustThatWhenCompressed() {
    for (Compression compression : List.of(Compression.GZIP, Compression.ZSTD)) {
      ObjectFormat ndjson = new ObjectFormat(FileFormat.NDJSON, compression);
      byte[] lines = Encoding.object(ndjson, SCHEMA);
      assertThat(lines).isNotEmpty();
      assertThat(Encoding.decompressed(ndjson, lines)).isEmpty();

      ObjectFormat json = new ObjectFormat(FileFormat.JSON, compression);
      assertThat(Encoding.decompressed(json, Encoding.object(json, SCHEMA)))
          .asString()
          .isEqualTo("[]");
    }
  }

  @Test
  void everyLineHasItsEnd() {
    String one = json(Encoding.NDJSON, 1);
    assertThat(one).isEqualTo("{\"a\":1}\n");
    assertThat(json(Encoding.NDJSON, 1, 2)).isEqualTo("{\"a\":1}\n{\"a\":2}\n");
    byte[] twoFiles = (one + json(Encoding.NDJSON, 2)).getBytes(StandardCharsets.UTF_8);
    assertThat(JsonReader.readAll(twoFiles)).hasSize(2);
  }

  @Test
  void anArrayHasARecordALine() {
    assertThat(json(Encoding.JSON, 1)).isEqualTo("[{\"a\":1}]");
    assertThat(json(Encoding.JSON, 1, 2, 3)).isEqualTo("[{\"a\":1},\n{\"a\":2},\n{\"a\":3}]");
  }

  @Test
  void jsonlIsNdjson() {
    assertThat(json(new ObjectFormat(FileFormat.JSONL, Compression.NONE), 1, 2))
        .isEqualTo(json(Encoding.NDJSON, 1, 2));
  }

  @Test
  void aFailedRecordLeavesWholeLinesOnly() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      rows.add(new Object[] {i == 1_999 ? "x" : i});
    }
    try (ResourceEncoder encoder =
        ResourceEncoder.open("things", SCHEMA, Encoding.NDJSON, EncodeThreads.of(1), out)) {
      assertThatThrownBy(() -> encoder.write(RecordBatch.ofRows("things", SCHEMA, rows)))
          .isInstanceOf(InvalidRecordException.class)
          .hasMessageContaining("row 1999");
      assertThat(JsonReader.readAll(out.toByteArray())).hasSize((int) encoder.rows());
      assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("}\n");
    }
  }

  @Test
  void whatIsWrittenIsHandedOverWithTheBatch() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ResourceEncoder encoder =
        ResourceEncoder.open("things", SCHEMA, Encoding.NDJSON, EncodeThreads.of(1), out)) {
      encoder.write(Encoding.rows(SCHEMA, new Object[] {1}));
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}\n");
    }
  }

  private static String json(ObjectFormat format, Object... values) {
    List<Object[]> rows = new ArrayList<>();
    for (Object value : values) {
      rows.add(new Object[] {value});
    }
    return new String(
        Encoding.object(format, SCHEMA, RecordBatch.ofRows("things", SCHEMA, rows)),
        StandardCharsets.UTF_8);
  }
}

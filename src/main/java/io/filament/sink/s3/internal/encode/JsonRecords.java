package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import io.filament.sink.Schema;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes records as JSON objects, with what stands between them chosen by the caller. The generator
 * is never closed: that would write.
 */
final class JsonRecords {

  /**
   * No separator between objects, since each format has its own; no buffer is left in a thread of
   * the host.
   */
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .rootValueSeparator((String) null)
          .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
          .build();

  private final JsonGenerator generator;
  private final JsonValues.JsonObject object;

  JsonRecords(Schema schema, OutputStream out) throws IOException {
    this.generator =
        FACTORY
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT)
            .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    this.object = new JsonValues(generator).new JsonObject(schema);
  }

  void writeRecord(Slice slice, int index) throws IOException {
    object.write(slice.vectors(), index);
  }

  void writeRaw(String text) throws IOException {
    generator.writeRaw(text);
  }

  /** Hands everything over that was written. */
  void flush() throws IOException {
    generator.flush();
  }
}

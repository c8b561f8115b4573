package io.filament.sink.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Sink;
import io.filament.sink.arrow.ArrowBatches;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.junit.jupiter.api.Test;

/** A host that reads Arrow's streams, as docs/arrow.md shows it. */
class ArrowTest extends WithBucket {

  private static final Path SOURCE =
      Path.of("src/test/java/io/filament/sink/acceptance/ArrowTest.java");

  static RunManifest copy(ArrowReader reader, Sink sink, String runId) throws IOException {
    VectorSchemaRoot root = reader.getVectorSchemaRoot();
    sink.open(
        RunSpec.builder(runId).resource("accounts", ArrowBatches.schema(root.getSchema())).build());
    while (reader.loadNextBatch()) {
      sink.write(ArrowBatches.of("accounts", root));
    }
    return sink.commit();
  }

  @Test
  void everyBatchOfAStreamIsInTheObject() throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(stream(allocator)), allocator);
        Sink sink = bucket.sink("partition", "")) {
      RunManifest manifest = copy(reader, sink, "run-1");

      assertThat(manifest.resources())
          .singleElement()
          .satisfies(e -> assertThat(e.rows()).isEqualTo(2));
      assertThat(
              new String(bucket.bytes(manifest.resources().get(0).key()), StandardCharsets.UTF_8))
          .isEqualTo("{\"id\":1,\"name\":\"Ada\"}\n{\"id\":2,\"name\":null}\n");
    }
  }

  private static byte[] stream(BufferAllocator allocator) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BigIntVector id = new BigIntVector("id", allocator);
    VarCharVector name = new VarCharVector("name", allocator);
    try (VectorSchemaRoot root = VectorSchemaRoot.of(id, name);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
      id.setSafe(0, 1);
      name.setSafe(0, "Ada".getBytes(StandardCharsets.UTF_8));
      root.setRowCount(1);
      writer.writeBatch();
      root.allocateNew();
      id.setSafe(0, 2);
      root.setRowCount(1);
      writer.writeBatch();
      writer.end();
    }
    return out.toByteArray();
  }

  @Test
  void theCodeOfThePageIsTheCodeOfThisTest() throws IOException {
    Matcher block =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(Files.readString(Path.of("docs/arrow.md")));

    assertThat(block.find()).isTrue();
    assertThat(unindented(Files.readString(SOURCE))).contains(unindented(block.group(1)));
  }

  private static String unindented(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n"));
  }
}

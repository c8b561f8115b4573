package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A native library is loaded once in a JVM, so what happens without it needs a JVM of its own. */
class ZstdLibraryTest {

  @Test
  void aLibraryThatCannotBeUnpackedIsSaidAtOpenWithItsFolder(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path missing = folder.resolve("missing");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + missing,
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName())
            .redirectErrorStream(true)
            .start();
    String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).as(printed).isZero();
    List<String> lines = printed.lines().filter(line -> line.startsWith(Opener.PREFIX)).toList();
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("compression zstd: the native library of zstd-jni can't be loaded")
                    .contains("\"" + missing + "\""));
  }

  /** Opens an encoder twice: the second failure of a library is another than its first. */
  static final class Opener {

    static final String PREFIX = "IOException: ";

    private Opener() {}

    public static void main(String[] args) {
      Schema schema = Schema.builder().required("a", FieldType.INT32).build();
      ObjectFormat format = new ObjectFormat(FileFormat.NDJSON, Compression.ZSTD);
      for (int i = 0; i < 2; i++) {
        try {
          ResourceEncoder.open("things", schema, format, OutputStream.nullOutputStream()).close();
        } catch (IOException e) {
          System.out.println(PREFIX + e.getMessage());
        }
      }
    }
  }
}

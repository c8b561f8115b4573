package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.Schema;
import io.filament.sink.s3.testing.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A native library is loaded once in a JVM, so what happens without it needs a JVM of its own. */
class NativeLibraryTest {

  @ParameterizedTest
  @CsvSource({
    "NDJSON, ZSTD, zstd-jni, java.io.tmpdir",
    "PARQUET, ZSTD, zstd-jni, ZstdTempFolder",
    "PARQUET, SNAPPY, snappy-java, java.io.tmpdir",
    "PARQUET, SNAPPY, snappy-java, org.xerial.snappy.tempdir"
  })
  void aLibraryThatCannotBeUnpackedIsSaidAtOpenWithItsFolder(
      FileFormat format,
      Compression compression,
      String jar,
      String folderProperty,
      @TempDir Path folder)
      throws IOException, InterruptedException {
    Path missing = folder.resolve("file").resolve("missing");
    Files.writeString(folder.resolve("file"), "in the way");

    ChildJvm.Result result =
        ChildJvm.run(
            Opener.class,
            ChildJvm.classPath(),
            List.of("-D" + folderProperty + "=" + missing),
            format.name(),
            compression.name());

    assertThat(result.exitCode()).as(result.output()).isZero();
    List<String> lines =
        result.output().lines().filter(line -> line.startsWith(Opener.PREFIX)).toList();
    assertThat(lines)
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("compression " + compression.label() + ": ")
                    .contains("the native library of " + jar + " can't be loaded")
                    .contains("\"" + missing + "\" (java.io.tmpdir, or "));
  }

  /** Opens an encoder twice: the second failure of a library is another than its first. */
  static final class Opener {

    static final String PREFIX = "IOException: ";

    private Opener() {}

    public static void main(String[] args) {
      Schema schema = Schema.builder().required("a", FieldType.INT32).build();
      ObjectFormat format =
          new ObjectFormat(FileFormat.valueOf(args[0]), Compression.valueOf(args[1]));
      for (int i = 0; i < 2; i++) {
        try {
          ResourceEncoder.open(
                  "things", schema, format, EncodeThreads.of(1), OutputStream.nullOutputStream())
              .close();
        } catch (IOException e) {
          System.out.println(PREFIX + e.getMessage());
        }
      }
    }
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.s3.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only the compiler needs Hadoop. */
final class ParquetWithoutHadoopTest {

  @Test
  void noClassOfHadoopIsNeededOrLoaded(@TempDir Path directory) throws Exception {
    List<String> classPath =
        ChildJvm.classPath().stream()
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("hadoop-"))
            .toList();

    ChildJvm.Result result =
        ChildJvm.run(
            ParquetWithoutHadoopTest.class,
            classPath,
            List.of("-Xlog:class+load"),
            directory.toString());

    assertThat(classPath).hasSizeLessThan(ChildJvm.classPath().size());
    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output())
        .contains("org.apache.parquet.hadoop.ParquetFileWriter ")
        .doesNotContain("org.apache.hadoop.");
    for (Compression compression : Compression.values()) {
      assertThat(Files.readAllBytes(directory.resolve(compression.label())))
          .isEqualTo(allTypes(compression).bytes());
    }
  }

  public static void main(String[] arguments) throws IOException {
    for (Compression compression : Compression.values()) {
      Files.write(Path.of(arguments[0], compression.label()), allTypes(compression).bytes());
    }
  }

  private static ParquetFile allTypes(Compression compression) {
    return ParquetFile.of(AllTypes.SCHEMA, compression, AllTypes.rows());
  }
}

package io.filament.sink.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.internal.encode.EncodeThreads;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import io.filament.sink.s3.testing.ClassPathWithout;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Hosts without Arrow have the sink without it. */
class WithoutArrowTest {

  @Test
  void theSinkLoadsAndEncodesWithoutArrow() throws Exception {
    Object rows =
        ClassPathWithout.jars("arrow-", "org.apache.arrow.vector.VectorSchemaRoot", Host.class);

    assertThat(rows).isEqualTo(1L);
  }

  /** Runs in a class loader that has no Arrow. */
  public static final class Host implements Callable<Long> {

    public Host() {}

    @Override
    public Long call() throws IOException {
      Schema schema = Schema.builder().required("n", FieldType.INT64).build();
      RecordBatch batch = RecordBatch.ofRows("r", schema, List.<Object[]>of(new Object[] {1}));
      long rows = 0;
      for (FileFormat format : FileFormat.values()) {
        ObjectFormat plain = new ObjectFormat(format, Compression.NONE);
        try (ResourceEncoder encoder =
            ResourceEncoder.open(
                "r", schema, plain, EncodeThreads.of(1), OutputStream.nullOutputStream())) {
          encoder.write(batch);
          encoder.finish();
          rows = encoder.rows();
        }
      }
      Map<String, ?> config = Map.of("bucket", "lake", "region", "eu-central-1");
      S3Sink.create(S3SinkConfig.fromMap(config)).close();
      return rows;
    }
  }
}

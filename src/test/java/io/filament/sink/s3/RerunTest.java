package io.filament.sink.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.RunManifest;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import io.filament.sink.s3.testing.EachS3Endpoint;
import io.filament.sink.s3.testing.FaultyObjectStore;
import io.filament.sink.s3.testing.Operation;
import io.filament.sink.s3.testing.S3Endpoint;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.s3.S3Client;

/** A run that is written again at once, with other records, where a failed commit left objects. */
@Timeout(60)
class RerunTest {

  private static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();

  /** Two parts and a bit. */
  private static final int MANY_ROWS = 11 * 1024;

  @EachS3Endpoint
  void leftoversOfEverySizeAreReplacedInTheSameSecond(S3Endpoint endpoint) throws IOException {
    try (S3Client client = endpoint.client()) {
      String bucket = S3Endpoint.createBucket(client);
      FaultyObjectStore faulty = new FaultyObjectStore(SdkObjectStore.of(client, bucket));
      faulty.failFrom(Operation.PUT_MANIFEST, 1);
      try (S3Sink first = sink(bucket, faulty)) {
        first.open(RunSpec.builder("r").startedAt(Instant.EPOCH).build());
        write(first, "x");
        assertThatThrownBy(first::commit).isInstanceOf(StoreException.class);
      }
      faulty.heal();

      RunManifest manifest;
      try (S3Sink again = sink(bucket, faulty)) {
        again.open(RunSpec.builder("r").startedAt(Instant.EPOCH).build());
        write(again, "y");
        manifest = again.commit();
      }

      assertThat(manifest.resources()).hasSize(2);
      for (RunManifest.Entry entry : manifest.resources()) {
        assertThat(
                client.getObjectAsBytes(get -> get.bucket(bucket).key(entry.key())).asUtf8String())
            .startsWith("{\"id\":0,\"text\":\"y");
      }
      assertThat(client.listMultipartUploads(list -> list.bucket(bucket)).uploads()).isEmpty();
    }
  }

  private static void write(S3Sink sink, String text) throws IOException {
    sink.write(RecordBatch.ofRows("large", SCHEMA, rows(MANY_ROWS, text.repeat(1024))));
    sink.write(RecordBatch.ofRows("small", SCHEMA, rows(1, text)));
  }

  private static List<Object[]> rows(int count, String text) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(new Object[] {(long) i, text});
    }
    return rows;
  }

  private static S3Sink sink(String bucket, FaultyObjectStore store) {
    S3SinkConfig config =
        S3SinkConfig.fromMap(Map.of("bucket", bucket, "prefix", "p", "part_size_mib", 5));
    return S3Sink.builder(config).store(store).build();
  }
}

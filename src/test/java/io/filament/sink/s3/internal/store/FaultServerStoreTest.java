package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.s3.testing.FaultServer;
import io.filament.sink.s3.testing.ServedBucket;
import io.filament.sink.s3.testing.StoreProfile;
import io.filament.sink.s3.testing.StoreProfile.Checksums;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.s3.S3Client;

/** The server that fails as planned keeps the promises as long as nothing is planned. */
@ParameterizedClass(name = "{0} at {1}")
@MethodSource("profilesAndLevels")
class FaultServerStoreTest extends ObjectStoreContractTest {

  private static final AtomicInteger BUCKETS = new AtomicInteger();
  private static FaultServer server;
  private static S3Client client;

  @Parameter(0)
  Checksums checksums;

  @Parameter(1)
  ChecksumLevel level;

  private ServedBucket bucket;
  private ObjectStore store;

  static Stream<Arguments> profilesAndLevels() {
    return Stream.of(
        Arguments.of(Checksums.FULL_OBJECT, ChecksumLevel.FULL_OBJECT),
        Arguments.of(Checksums.FULL_OBJECT, ChecksumLevel.COMPOSITE),
        Arguments.of(Checksums.FULL_OBJECT, ChecksumLevel.NONE),
        Arguments.of(Checksums.REQUIRED, ChecksumLevel.FULL_OBJECT),
        Arguments.of(Checksums.REQUIRED, ChecksumLevel.NONE),
        Arguments.of(Checksums.COMPOSITE, ChecksumLevel.COMPOSITE),
        Arguments.of(Checksums.INVALID, ChecksumLevel.NONE),
        Arguments.of(Checksums.NOT_IMPLEMENTED, ChecksumLevel.NONE));
  }

  @BeforeAll
  static void start() throws SinkException {
    server = FaultServer.start();
    client = ShortWaits.client(server.uri(), 3, Duration.ofSeconds(30), 8);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void openBucket() {
    // What a client has learnt of a bucket stays with the two.
    String name = "bucket-" + BUCKETS.incrementAndGet();
    bucket = server.createBucket(name, StoreProfile.S3.with(checksums).withPartsOfAtLeast(1000));
    store = SdkObjectStore.of(client, name).at(level);
  }

  @Override
  ObjectStore store() {
    return store;
  }

  @Override
  ChecksumLevel level() {
    return level;
  }

  @Override
  byte[] read(String key) {
    return bucket.content(key);
  }

  @Override
  int leastPartBytes() {
    return 1000;
  }

  @Override
  boolean checksPuts() {
    return true;
  }

  @Override
  boolean putsAtomically() {
    return true;
  }
}

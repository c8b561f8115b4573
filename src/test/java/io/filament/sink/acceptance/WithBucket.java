package io.filament.sink.acceptance;

import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Gives each test a fresh bucket on the server inside this process. */
abstract class WithBucket {

  Bucket bucket;

  S3Endpoint endpoint() {
    return S3ProxyServer.shared();
  }

  @BeforeEach
  final void createBucket() {
    bucket = Bucket.on(endpoint());
  }

  @AfterEach
  final void dropBucket() {
    bucket.close();
  }
}

package io.filament.sink.acceptance;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Gives each test a fresh bucket on the server inside this process. */
abstract class WithBucket {

  Bucket bucket;

  Endpoint endpoint() {
    return Endpoints.embedded();
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

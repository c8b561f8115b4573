package io.filament.sink.acceptance;

import io.filament.sink.s3.testing.S3Endpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Gives each test a fresh bucket, on each server in turn. */
@Tag("s3")
@ParameterizedClass(name = "{0}")
@MethodSource("io.filament.sink.s3.testing.S3Endpoints#all")
abstract class OnEveryEndpoint extends WithBucket {

  @Parameter S3Endpoint endpoint;

  @Override
  final S3Endpoint endpoint() {
    return endpoint;
  }
}

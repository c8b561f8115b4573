package io.filament.sink.acceptance;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Gives each test a fresh bucket, on each server in turn. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.filament.sink.acceptance.Endpoints#all")
abstract class OnEveryEndpoint extends WithBucket {

  @Parameter Endpoint endpoint;

  @Override
  final Endpoint endpoint() {
    return endpoint;
  }
}

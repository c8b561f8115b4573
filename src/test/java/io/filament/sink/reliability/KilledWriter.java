package io.filament.sink.reliability;

import io.filament.sink.s3.testing.S3Endpoint;
import java.io.IOException;

/** The process that is killed: it publishes one run, says so and waits. */
final class KilledWriter {

  static final String COMMITTED = "committed";

  private KilledWriter() {}

  /** Takes the endpoint, the bucket and the seed of the run. */
  public static void main(String[] arguments) throws IOException {
    S3Endpoint endpoint = Settings.endpoint(arguments);
    SampleRun run = SampleRun.of(Long.parseLong(arguments[5]));
    run.publish(endpoint, endpoint.uri(), arguments[4]);
    System.out.println(COMMITTED);
    while (System.in.read() >= 0) {
      // Until the parent is gone; it sends nothing.
    }
  }
}

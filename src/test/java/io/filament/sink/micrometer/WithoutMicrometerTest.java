package io.filament.sink.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.RunSpec;
import io.filament.sink.SinkException;
import io.filament.sink.SinkListener;
import io.filament.sink.s3.S3Sink;
import io.filament.sink.s3.S3SinkConfig;
import io.filament.sink.s3.testing.ClassPathWithout;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Hosts without Micrometer have the sink and its events without it. */
class WithoutMicrometerTest {

  @Test
  void theSinkLoadsAndAsksItsStoreWithoutMicrometer() throws Exception {
    Object refusal =
        ClassPathWithout.jars(
            "micrometer-", "io.micrometer.core.instrument.MeterRegistry", Host.class);

    assertThat(refusal).asString().startsWith("HeadObject s3://lake/_runs/r/_SUCCESS.json");
  }

  /** Runs in a class loader that has no Micrometer. */
  public static final class Host implements Callable<String> {

    public Host() {}

    /** Opens a run at a port where nobody listens, which is as far as one gets without a store. */
    @Override
    public String call() throws IOException {
      Map<String, ?> config =
          Map.of(
              "bucket",
              "lake",
              "endpoint",
              "http://127.0.0.1:1",
              "auth_method",
              "iam_credentials",
              "access_key_id",
              "key",
              "secret_access_key",
              "secret",
              "retry_timeout_s",
              0);
      try (S3Sink sink =
          S3Sink.builder(S3SinkConfig.fromMap(config)).listener(new SinkListener() {}).build()) {
        sink.open(RunSpec.builder("r").build());
        return "opened";
      } catch (SinkException e) {
        return e.getMessage();
      }
    }
  }
}

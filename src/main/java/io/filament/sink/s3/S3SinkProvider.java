package io.filament.sink.s3;

import io.filament.sink.ConnectionLevel;
import io.filament.sink.ConnectionReport;
import io.filament.sink.Sink;
import io.filament.sink.SinkProvider;
import io.filament.sink.SinkSpec;
import io.filament.sink.s3.internal.store.ConnectionTest;
import java.util.Map;

/** Makes S3 sinks; found under the name {@code s3}. */
public final class S3SinkProvider implements SinkProvider {

  /** For {@link java.util.ServiceLoader}. */
  public S3SinkProvider() {}

  @Override
  public String name() {
    return Settings.SPEC.name();
  }

  @Override
  public SinkSpec spec() {
    return Settings.SPEC;
  }

  @Override
  public Sink create(Map<String, ?> config) {
    return S3Sink.create(config);
  }

  @Override
  public void validate(Map<String, ?> config) {
    S3SinkConfig.fromMap(config);
  }

  /**
   * Asks for the bucket with one HeadBucket, which needs {@code s3:ListBucket} and changes nothing.
   * Says nothing of the right to write.
   *
   * @throws io.filament.sink.InvalidConfigException with all problems of the configuration, before
   *     any request
   */
  @Override
  public ConnectionReport testConnection(Map<String, ?> config) {
    S3SinkConfig valid = S3SinkConfig.fromMap(config);
    return read(valid);
  }

  /**
   * At {@link ConnectionLevel#WRITE}, also starts a multipart upload at {@code
   * <prefix>/_runs/_connection-test/<random>}, sends one part of one byte and aborts it; before
   * that, with {@code checksum_mode} {@code auto}, another upload finds out the store's checksums.
   *
   * <p>If that goes well and the credentials may delete a version ({@code s3:DeleteObjectVersion},
   * which no run needs), it also puts an object of one byte beside, whose key ends in {@code
   * -object}, finds out with it whether the store honours conditional writes, and deletes it. The
   * bucket's notifications hear of that. An upload that could not be aborted or an object that
   * could not be deleted is named. A missing {@code s3:ListBucket} is told and doesn't end the
   * test.
   *
   * @throws io.filament.sink.InvalidConfigException with all problems of the configuration, before
   *     any request
   */
  @Override
  public ConnectionReport testConnection(Map<String, ?> config, ConnectionLevel level) {
    S3SinkConfig valid = S3SinkConfig.fromMap(config);
    return switch (level) {
      case READ -> read(valid);
      case WRITE ->
          ConnectionTest.writeReport(
              valid.keyLayout(),
              valid.checksumMode().level(),
              valid.clientSettings(),
              valid.objectOptions());
    };
  }

  private static ConnectionReport read(S3SinkConfig config) {
    return ConnectionTest.report(config.bucket(), config.clientSettings(), config.objectOptions());
  }
}

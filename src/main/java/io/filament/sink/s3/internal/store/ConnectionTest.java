package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.BucketLook.Access;
import io.filament.sink.s3.internal.store.BucketLook.Keys;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Asks for a bucket and says in plain words what came of it; and writes there, if that is asked.
 */
public final class ConnectionTest {

  /** For some thirty requests; and for taking away what they have made. */
  private static final TimeLimit WRITE_LIMIT =
      new TimeLimit(Duration.ofSeconds(60), Duration.ofSeconds(20));

  private final BucketLook look;

  private ConnectionTest(BucketLook look) {
    this.look = look;
  }

  /** Asks for the bucket; takes some 20 seconds at most. */
  public static ConnectionReport report(
      String bucket, ClientSettings settings, ObjectOptions options) {
    return report(bucket, settings, options, Regions.ofSdk(), Clock.systemUTC());
  }

  static ConnectionReport report(
      String bucket, ClientSettings settings, ObjectOptions options, Regions regions, Clock clock) {
    return tested(bucket, settings, options, regions, clock, ConnectionTest::readReport);
  }

  /**
   * Asks for the bucket and writes below the prefix, without leaving anything that the report
   * doesn't name; takes some 80 seconds at most.
   *
   * @param level which checksums are sent; empty if the store is to be asked
   */
  public static ConnectionReport writeReport(
      KeyLayout layout,
      Optional<ChecksumLevel> level,
      ClientSettings settings,
      ObjectOptions options) {
    return writeReport(layout, level, settings, options, WRITE_LIMIT);
  }

  static ConnectionReport writeReport(
      KeyLayout layout,
      Optional<ChecksumLevel> level,
      ClientSettings settings,
      ObjectOptions options,
      TimeLimit limit) {
    return limit.of(
        () ->
            tested(
                layout.bucket(),
                settings,
                options,
                Regions.ofSdk(),
                Clock.systemUTC(),
                (test, client) -> test.writeReport(client, layout, level)));
  }

  private static ConnectionReport tested(
      String bucket,
      ClientSettings settings,
      ObjectOptions options,
      Regions regions,
      Clock clock,
      Step step) {
    ConnectionTest test;
    try {
      Region region = regions.of(bucket, settings);
      test = new ConnectionTest(new BucketLook(bucket, settings, options, region, clock));
    } catch (SinkException e) {
      return new ConnectionReport(false, List.of(String.valueOf(e.getMessage())));
    }
    Regions known = new Regions(test.look::region, test.look::region);
    try (S3Client client = S3Clients.create(bucket, settings, Patience.ofConnectionTest(), known)) {
      ConnectionReport report;
      try {
        report = step.report(test, client);
      } catch (SdkException | IllegalArgumentException | IllegalStateException e) {
        report = new ConnectionReport(false, List.of(test.look.silent(e)));
      }
      return masked(report, KnownCredentials.secretsOf(client).and(options));
    } catch (SinkException | SdkException | IllegalArgumentException | IllegalStateException e) {
      return masked(
          new ConnectionReport(false, List.of(test.look.silent(e))),
          Secrets.of(settings).and(options));
    }
  }

  private ConnectionReport readReport(S3Client client) {
    BucketLook.Answer answer = look.ask(client);
    List<String> messages = look.told(answer, Keys.UNKNOWN);
    if (answer.access() == Access.GRANTED) {
      messages.add(1, "This does not show that they may write to it.");
    }
    return new ConnectionReport(answer.access() == Access.GRANTED, messages);
  }

  private ConnectionReport writeReport(
      S3Client client, KeyLayout layout, Optional<ChecksumLevel> level) {
    BucketLook.Answer answer = look.ask(client);
    if (answer.access() == Access.NONE) {
      return new ConnectionReport(false, look.told(answer, Keys.UNKNOWN));
    }
    SdkObjectStore store = SdkObjectStore.of(client, look.bucket()).with(look.options());
    String key = layout.connectionTest(UUID.randomUUID().toString()).key();
    WriteTest test = new WriteTest(client, store, look.options(), key, layout.top());
    ConnectionReport written = test.report(level, answer.access());
    List<String> messages = look.told(answer, test.keys());
    if (test.keys() == Keys.WRONG) { // which explains what the look has found
      messages.addAll(0, written.messages());
      return new ConnectionReport(false, messages);
    }
    if (layout.isOfSource()) {
      messages.add(
          "No prefix is set, so this writes at the top of the bucket; a run with a source name writes"
              + " below that.");
    }
    messages.addAll(written.messages());
    return new ConnectionReport(written.ok(), messages);
  }

  private static ConnectionReport masked(ConnectionReport report, Secrets secrets) {
    return new ConnectionReport(
        report.ok(), report.messages().stream().map(secrets::mask).toList());
  }

  /** What is done with a client. */
  @FunctionalInterface
  private interface Step {
    ConnectionReport report(ConnectionTest test, S3Client client);
  }
}

package io.filament.sink.acceptance;

import static io.filament.sink.acceptance.Runs.PEOPLE;
import static io.filament.sink.acceptance.Runs.people;
import static io.filament.sink.acceptance.Runs.publishAndClose;
import static io.filament.sink.acceptance.Runs.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.Sink;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, and in which order. */
@Timeout(60)
class RequestsTest extends WithRelay {

  @Test
  void manifestIsPutWhenEveryObjectIsThere() throws IOException {
    CountDownLatch others = new CountDownLatch(2);
    relay.rule(
        request -> {
          if (request.publishes() && request.key().startsWith("slow/")) {
            assertThat(others.await(20, TimeUnit.SECONDS)).as("the others go ahead").isTrue();
          } else if (request.publishes() && !request.isForManifest()) {
            others.countDown();
          }
          return null;
        });
    publishAndClose(relayedSink(), run().build(), people("slow"), people("fast"), people("other"));

    List<String> events = relay.events();
    String manifest = "PutObject _runs/" + Runs.RUN_ID + "/_SUCCESS.json";
    assertThat(events).filteredOn(event -> event.equals("> " + manifest)).hasSize(1);
    List<String> before = events.subList(0, events.indexOf("> " + manifest));
    assertThat(before)
        .filteredOn(event -> event.startsWith("< PutObject"))
        .hasSize(3)
        .doesNotHaveDuplicates();
    assertThat(events.subList(events.indexOf("> " + manifest) + 1, events.size()))
        .noneMatch(event -> event.startsWith("> PutObject") || event.startsWith("> Complete"));
  }

  @Test
  void manifestIsPutAfterMultipartObjectsAreComplete() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 11);
      writeMebibytes(sink, "b", 6);
      sink.commit();
    }

    List<String> publishing =
        relay.requests().stream().filter(S3Request::publishes).map(S3Request::operation).toList();
    assertThat(publishing)
        .containsExactly("CompleteMultipartUpload", "CompleteMultipartUpload", "PutObject");
  }

  @Test
  void manifestIsPutOnlyIfThereIsNone() throws IOException {
    publishAndClose(relayedSink(), run().build(), people("a"));

    assertThat(relay.requests("PutObject"))
        .filteredOn(S3Request::isForManifest)
        .singleElement()
        .satisfies(put -> assertThat(put.headers().get("If-none-match")).containsExactly("*"));
  }

  @Test
  void openAsksForTheManifestAndNothingElse() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().resource("a", PEOPLE).build());

      assertThat(relay.requests()).allMatch(S3Request::isForManifest);
      assertThat(relay.requests()).extracting(S3Request::method).isSubsetOf("HEAD", "GET");
    }
  }

  @Test
  void sinkThatIsNeverOpenedAsksNothing() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.abort();
    }

    assertThat(relay.requests()).isEmpty();
  }

  @Test
  void abortOfARunWithoutUploadsAsksNothing() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      sink.write(people("a"));
      int before = relay.requests().size();
      sink.abort();

      assertThat(relay.requests()).hasSize(before);
    }
  }

  @Test
  void smallObjectIsOnePutInTheCommit() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      sink.write(people("a"));
      assertThat(relay.requests()).noneMatch(S3Request::publishes);
      sink.commit();
    }

    assertThat(relay.requests("PutObject"))
        .extracting(S3Request::key)
        .contains("a/dt=2026-09-10/" + Runs.RUN_ID + ".ndjson");
    assertThat(relay.requests("CreateMultipartUpload")).isEmpty();
  }

  @Test
  void partGoesOutAsSoonAsItIsFull() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);

      await("the first part", () -> relay.requests("UploadPart").size() == 1);
    }
  }

  @Test
  void allPartsButTheLastAreEqualWhereverRowsEnd() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      for (int i = 0; i < 40; i++) {
        sink.write(Runs.texts("a", "y".repeat(i * 30_011 + 1)));
      }
      sink.commit();
    }

    List<Integer> sizes =
        relay.requests("UploadPart").stream()
            .sorted(Comparator.comparing(part -> part.queryNumber("partNumber")))
            .map(part -> part.body().length)
            .toList();
    assertThat(sizes).hasSizeGreaterThan(3);
    assertThat(sizes.subList(0, sizes.size() - 1)).containsOnly(5 << 20);
    assertThat(sizes.get(sizes.size() - 1)).isBetween(1, 5 << 20);
  }

  @Test
  void partsAreNumberedFromOneWithoutGap() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 17);
      sink.commit();
    }

    assertThat(relay.requests("UploadPart"))
        .extracting(part -> part.queryNumber("partNumber"))
        .containsExactlyInAnyOrder(1, 2, 3, 4);
  }

  @Test
  void bodiesArePlainAndCarryTheirCrc32c() throws IOException {
    try (Sink sink = relayedSink()) {
      sink.open(run().build());
      writeMebibytes(sink, "a", 6);
      sink.write(people("small"));
      sink.commit();
    }

    assertThat(relay.requests())
        .filteredOn(request -> request.method().equals("PUT"))
        .hasSize(4)
        .allSatisfy(
            put -> {
              assertThat(put.headers()).doesNotContainKeys("X-amz-trailer", "Transfer-encoding");
              assertThat(put.headers().getOrDefault("Content-encoding", List.of()))
                  .noneMatch(encoding -> encoding.contains("aws-chunked"));
              assertThat(put.headers().get("X-amz-checksum-crc32c"))
                  .containsExactly(Stored.crc32cInBase64(put.body()));
              assertThat(put.headers()).doesNotContainKeys("Content-md5", "X-amz-checksum-crc32");
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void neverMoreRequestsAreInFlightThanAllowed(int concurrency) throws IOException {
    try (Sink sink = relayedSink("upload_concurrency", concurrency)) {
      sink.open(run().build());
      for (int i = 0; i < 12; i++) {
        writeMebibytes(sink, "a", 2);
        writeMebibytes(sink, "b", 1);
        sink.write(people("small" + i));
      }
      sink.commit();
    }

    assertThat(relay.mostInFlight()).isBetween(1, concurrency);
  }
}

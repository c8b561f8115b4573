package io.filament.sink.s3.internal.store;

import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Learns how many connections a host's client has, which the client tells only in the measurements
 * of its requests, and not with every HTTP client.
 */
record ClientConnections(RequestObserver observer) implements MetricPublisher {

  /** Returns who hears the measurements of a request: those that the client has, and this. */
  static List<MetricPublisher> heardBy(S3Client client, RequestObserver observer) {
    // What a request names is in the place of what its client has.
    List<MetricPublisher> all =
        new ArrayList<>(
            client.serviceClientConfiguration().overrideConfiguration().metricPublishers());
    all.add(new ClientConnections(observer));
    return List.copyOf(all);
  }

  @Override
  public void publish(MetricCollection measured) {
    measured.metricValues(HttpMetric.MAX_CONCURRENCY).forEach(observer::connections);
    measured.children().forEach(this::publish);
  }

  @Override
  public void close() {}
}

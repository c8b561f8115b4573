package io.filament.sink.s3.internal.store;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Remembers stores by client and bucket, for as long as the client lives.
 *
 * <p>It is static because a host may share one client among many sinks, which have nothing else in
 * common: each would probe the same store again. A client is the key since it decides where
 * requests go and whose they are.
 */
final class StoreProfiles {

  /** What is remembered must not lead to the client, which would then stay for ever. */
  private static final Map<S3Client, Map<String, StoreMemory>> BY_CLIENT = new WeakHashMap<>();

  private StoreProfiles() {}

  static StoreMemory of(S3Client client, String bucket) {
    synchronized (BY_CLIENT) {
      return BY_CLIENT
          .computeIfAbsent(client, unknown -> new HashMap<>())
          .computeIfAbsent(bucket, unknown -> new StoreMemory());
    }
  }
}

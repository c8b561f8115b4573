package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.RequestObserver;
import io.filament.sink.s3.internal.store.RunKeys;
import io.filament.sink.s3.internal.store.S3Clients;
import io.filament.sink.s3.internal.store.SdkObjectStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/** Makes the sink's own client when the first run needs it. */
final class OwnClient implements StoreSource {

  private final S3SinkConfig config;
  private @Nullable S3Client client;
  private boolean closed;

  OwnClient(S3SinkConfig config) {
    this.config = config;
  }

  @Override
  public synchronized ObjectStore store(RunKeys keys, RequestObserver observer) throws IOException {
    if (closed) {
      throw new IllegalStateException("open: the sink is closed");
    }
    if (client == null) {
      client = S3Clients.create(config.bucket(), config.clientSettings());
    }
    SdkObjectStore store =
        SdkObjectStore.of(client, config.bucket())
            .with(config.objectOptions())
            .patient(config.retryTimeout(), observer);
    return config.checksumMode().applied(store, keys.probe());
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      client.close();
      client = null;
    }
  }
}

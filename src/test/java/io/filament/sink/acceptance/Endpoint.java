package io.filament.sink.acceptance;

import java.net.URI;

/** An S3 server that answers, and the keys that it takes. */
record Endpoint(String name, URI uri, String accessKey, String secretKey) {

  @Override
  public String toString() {
    return name;
  }
}

package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.CrtHttp;

/** What makes HTTP requests under the AWS SDK. */
public enum HttpClientKind {
  /** The AWS Common Runtime if the host has added it and no proxy is set, else Apache's client. */
  AUTO("auto"),
  /** Apache's HTTP client 5, which comes with the sink. */
  APACHE5("apache5"),
  /**
   * The AWS Common Runtime, native code that the host adds as {@code
   * software.amazon.awssdk:aws-crt-client}.
   */
  CRT("crt");

  private final String label;

  HttpClientKind(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration. */
  public String label() {
    return label;
  }

  /** Returns whether the AWS Common Runtime is what is used. */
  boolean isCrt(boolean withProxy) {
    return this == CRT || (this == AUTO && !withProxy && CrtHttp.isThere());
  }
}

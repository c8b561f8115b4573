package io.filament.sink.s3.internal.store;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;

/**
 * A request's body as the SDK takes it. The SDK hands an HTTP client a stream of its own around the
 * body's, out of which bytes can only be copied; {@link #open} finds the body's own stream, which
 * can write itself.
 */
record BodyContent(Body body) implements ContentStreamProvider {

  /** The stream that this thread has opened last. */
  private static final ThreadLocal<@Nullable InputStream> OPENED = new ThreadLocal<>();

  /**
   * A body's stream, within those that the SDK has put around it.
   *
   * @param outer what the SDK gives; closing it closes all of them
   * @param inner the body's own, if it is one of ours
   */
  record Opened(InputStream outer, @Nullable InputStream inner) {}

  @Override
  public InputStream newStream() {
    InputStream stream = body.content().get();
    OPENED.set(stream);
    return stream;
  }

  /** Opens what the SDK gives as a body, from its first byte. */
  static Opened open(ContentStreamProvider given) {
    OPENED.remove(); // who signs may have opened one before
    try {
      InputStream outer = given.newStream();
      return new Opened(outer, OPENED.get());
    } finally {
      OPENED.remove();
    }
  }
}

package io.filament.sink;

import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes sinks of one kind; hosts find it with {@link java.util.ServiceLoader}.
 *
 * <p>Implementations have no state: any thread may call any method.
 */
public interface SinkProvider {

  /** Returns the name that a host's configuration uses for this kind of sink, as {@code s3}. */
  String name();

  /** Describes this kind of sink and its configuration. */
  SinkSpec spec();

  /**
   * Makes a sink. Does no I/O.
   *
   * @throws InvalidConfigException with all problems of the configuration
   */
  Sink create(Map<String, ?> config);

  /**
   * Checks a configuration without any I/O.
   *
   * @throws InvalidConfigException with all problems of the configuration
   */
  void validate(Map<String, ?> config);

  /**
   * Asks the store, without writing, whether this configuration reaches it. A refusal of the store
   * is part of the report, not an exception.
   *
   * @throws InvalidConfigException with all problems of the configuration
   */
  ConnectionReport testConnection(Map<String, ?> config);

  /**
   * Asks the store as far as a level says: {@link ConnectionLevel#READ} is {@link
   * #testConnection(Map)}, {@link ConnectionLevel#WRITE} also shows whether a run could write. A
   * kind of sink without a test of writing says so and makes that of reading.
   *
   * @throws InvalidConfigException with all problems of the configuration
   */
  default ConnectionReport testConnection(Map<String, ?> config, ConnectionLevel level) {
    ConnectionReport read = testConnection(config);
    return switch (level) {
      case READ -> read;
      case WRITE ->
          new ConnectionReport(
              read.ok(),
              Stream.concat(
                      read.messages().stream(),
                      Stream.of("This kind of sink has no test of writing, so none was made."))
                  .toList());
    };
  }
}

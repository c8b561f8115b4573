package io.filament.sink;

import java.util.List;

/**
 * What a connection test found.
 *
 * @param ok whether all that a run needs is there, as far as that was tried
 * @param messages what was found, in plain words, one finding a line; never empty, without secrets
 */
public record ConnectionReport(boolean ok, List<String> messages) {

  public ConnectionReport {
    messages = List.copyOf(messages);
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("a connection report has at least one message");
    }
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
import io.filament.sink.IntegrityException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a test that writes has found, in plain words. Used by one thread. */
final class Findings {

  private final List<String> messages = new ArrayList<>();
  private final Set<Upload> leftovers = new HashSet<>();
  private boolean ok = true;

  /** Returns whether nothing would fail a run. */
  boolean areOk() {
    return ok;
  }

  /** Returns all of it, in the order in which it was found. */
  ConnectionReport report() {
    return new ConnectionReport(ok, messages);
  }

  /** Adds what is no failure. */
  void tell(String message) {
    messages.add(message);
  }

  /** Adds what would fail a run, or what is left behind. */
  void fail(String message) {
    ok = false;
    messages.add(message);
  }

  /** Adds a failure ahead of what it explains. */
  void failFirst(IOException failure) {
    ok = false;
    messages.add(0, String.valueOf(failure.getMessage()));
  }

  /** See {@link #fail(String)}. */
  void fail(IOException failure) {
    fail(String.valueOf(failure.getMessage()));
    if (failure instanceof IntegrityException) {
      fail(
          "A store that takes the framing of chunked bodies for content does that, or something"
              + " between that changes bodies.");
    }
  }

  /** Adds an upload that could not be aborted, once. */
  void leftover(Upload upload, IOException failure) {
    if (!leftovers.add(upload)) {
      return;
    }
    fail(failure);
    fail(
        "An upload of one byte may be left, and costs money until a lifecycle rule expires it: key \"%s\", upload id %s."
            .formatted(upload.key(), upload.id()));
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.ConnectionReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Bounds a test of many requests. Whoever waits for it gets its report in time; the test is
 * interrupted then, and gets a while to take away what it has made.
 *
 * @param limit how long the test may take
 * @param cleanUp how long it may take to end after that
 */
record TimeLimit(Duration limit, Duration cleanUp) {

  private static final String UNKNOWN =
      "It did not end in time after that, so an upload of one byte may be left, which a lifecycle"
          + " rule expires, or an object of one byte below _runs/_connection-test/, which stays.";

  /** Runs a test on a thread of its own. An interrupt of the caller ends the test, too. */
  ConnectionReport of(Supplier<ConnectionReport> test) {
    FutureTask<ConnectionReport> task = new FutureTask<>(test::get);
    Thread thread = new Thread(task, "filament-s3-connection-test");
    thread.setDaemon(true);
    thread.start();
    try {
      return answer(task, limit);
    } catch (TimeoutException e) {
      thread.interrupt();
      return late(task, "The test was ended after " + limit.toSeconds() + " seconds.");
    } catch (InterruptedException e) {
      thread.interrupt();
      ConnectionReport report = late(task, "The connection test was interrupted.");
      Thread.currentThread().interrupt();
      return report;
    }
  }

  private ConnectionReport late(FutureTask<ConnectionReport> task, String why) {
    List<String> messages = new ArrayList<>();
    messages.add(why);
    try {
      messages.addAll(answer(task, cleanUp).messages());
    } catch (TimeoutException e) {
      messages.add(UNKNOWN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      messages.add(UNKNOWN);
    }
    return new ConnectionReport(false, messages);
  }

  private static ConnectionReport answer(FutureTask<ConnectionReport> task, Duration wait)
      throws TimeoutException, InterruptedException {
    try {
      return task.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("the connection test failed by itself", e.getCause());
    }
  }
}

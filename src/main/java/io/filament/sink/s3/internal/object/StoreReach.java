package io.filament.sink.s3.internal.object;

import io.filament.sink.StoreException;
import java.util.concurrent.Callable;

/**
 * Remembers of many like requests whether one of them found that the store can't be reached: each
 * of the others would wait as long again. Any thread may call.
 */
public final class StoreReach {

  private volatile boolean lost;

  /** Returns whether a watched request has found no store, still after all tries. */
  public boolean isLost() {
    return lost;
  }

  /** Returns the same request, whose end is remembered. */
  public <T> Callable<T> watched(Callable<T> request) {
    return () -> {
      try {
        return request.call();
      } catch (StoreException e) {
        if (isUnreachable(e)) {
          lost = true;
        }
        throw e;
      }
    };
  }

  /** Returns whether no answer came, or none of the store's: a proxy answers 502 to 504 for it. */
  private static boolean isUnreachable(StoreException failure) {
    int status = failure.statusCode();
    return status == 0 || (status >= 502 && status <= 504);
  }
}

package io.filament.sink.s3.internal.object;

import java.util.HashMap;
import java.util.Map;

/**
 * How many requests may be in flight: half as many after the store asks to slow down, and one more
 * for each round of requests that passes without that. Guarded by its owner.
 *
 * <p>Requests that were in flight together are told of the same overload; together they count as
 * one sign of it. A request that is told again after its own wait is another sign.
 */
final class Pace {

  private int most;

  /** What each request in flight knows of: the count of reductions when it last looked. */
  private final Map<Thread, Integer> known = new HashMap<>();

  private int limit;
  private int reductions;
  private int successes;

  Pace(int most) {
    this.most = most;
    this.limit = most;
  }

  int most() {
    return most;
  }

  /** Allows no more than this from here on. */
  void cap(int count) {
    most = Math.max(1, Math.min(most, count));
    limit = Math.min(limit, most);
  }

  int limit() {
    return limit;
  }

  void begin(Thread request) {
    known.put(request, reductions);
  }

  void slowDown(Thread request) {
    Integer seen = known.get(request);
    if (seen == null || seen == reductions) {
      limit = Math.max(1, limit / 2);
      reductions++;
      successes = 0;
    }
    if (seen != null) {
      known.put(request, reductions);
    }
  }

  void end(Thread request) {
    Integer seen = known.remove(request);
    if (limit < most && seen != null && seen == reductions) {
      successes++;
      if (successes >= limit) {
        limit++;
        successes = 0;
      }
    }
  }
}

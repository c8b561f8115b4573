package io.filament.sink.s3.internal.object;

import io.filament.sink.SinkEvent.WaitReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * How long one call, or one object, has waited and for what. It is gathered under the lock that
 * orders a resource's batches, and told when that lock is given away. Used by one thread at a time.
 */
public final class Waits {

  private final Map<WaitReason, Long> nanos = new EnumMap<>(WaitReason.class);

  /** Adds a wait that has ended; one of no time is none. */
  public void add(WaitReason reason, long waitedNanos) {
    if (waitedNanos > 0) {
      nanos.merge(reason, waitedNanos, Long::sum);
    }
  }

  /** Takes over what another has gathered, which is empty then. */
  public void takeFrom(Waits other) {
    other.nanos.forEach(this::add);
    other.nanos.clear();
  }

  void forEach(BiConsumer<WaitReason, Long> action) {
    nanos.forEach(action);
  }
}

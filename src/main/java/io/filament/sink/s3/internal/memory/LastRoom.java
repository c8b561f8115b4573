package io.filament.sink.s3.internal.memory;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose the last of the memory is: one resource's at a time, until the records that its thread has
 * read are encoded. Else several threads could have records, and none the room for what they
 * become. Guarded by the run's memory.
 */
final class LastRoom {

  /** The first one has waited longest. */
  private final Set<ResourceMemory> waiting = new LinkedHashSet<>();

  private @Nullable ResourceMemory owner;

  boolean isOfAnother(ResourceMemory resource) {
    return owner != null && !owner.equals(resource);
  }

  /** Takes it, or gets into line for it. */
  void take(ResourceMemory resource) {
    if (owner == null) {
      giveTo(resource);
    } else if (!owner.equals(resource)) {
      waiting.add(resource);
    }
  }

  /** Leaves the line, if the resource is in it. */
  void leaveLine(ResourceMemory resource) {
    waiting.remove(resource);
  }

  /**
   * Passes it on to who has waited longest.
   *
   * @return whether the resource had it
   */
  boolean passOn(ResourceMemory resource) {
    if (owner == null || !owner.equals(resource)) {
      return false;
    }
    resource.hasLastRoom = false;
    owner = null;
    if (!waiting.isEmpty()) {
      ResourceMemory next = waiting.iterator().next();
      waiting.remove(next);
      giveTo(next);
    }
    return true;
  }

  private void giveTo(ResourceMemory resource) {
    owner = resource;
    resource.hasLastRoom = true;
  }
}

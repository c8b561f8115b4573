package io.filament.sink.scale;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * The most of the heap that was in use right after a collection: what was alive, and what a
 * collection of the young generation has left of the dead. Any thread may call.
 */
final class PeakHeap {

  private final AtomicLong peak = new AtomicLong();
  private final Set<String> pools = new HashSet<>();

  private PeakHeap() {}

  /** Begins to watch the collectors. */
  static PeakHeap watch() {
    PeakHeap heap = new PeakHeap();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        heap.pools.add(pool.getName());
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector)
          .addNotificationListener((event, ignored) -> heap.collected(event), null, null);
    }
    return heap;
  }

  private void collected(Notification event) {
    if (!event
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    GarbageCollectionNotificationInfo info =
        GarbageCollectionNotificationInfo.from((CompositeData) event.getUserData());
    long used = 0;
    for (Map.Entry<String, MemoryUsage> pool :
        info.getGcInfo().getMemoryUsageAfterGc().entrySet()) {
      used += pools.contains(pool.getKey()) ? pool.getValue().getUsed() : 0;
    }
    peak.accumulateAndGet(used, Math::max);
  }

  /** Forgets the peak so far. */
  void reset() {
    peak.set(0);
  }

  /** Returns the peak, or what is in use if nothing was collected yet. */
  long bytes() {
    Runtime jvm = Runtime.getRuntime();
    return peak.get() == 0 ? jvm.totalMemory() - jvm.freeMemory() : peak.get();
  }

  /** Returns the most memory that the process has had, off the heap too; 0 where it isn't known. */
  static long processBytes() {
    Path status = Path.of("/proc/self/status");
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}

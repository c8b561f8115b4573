package io.filament.sink.s3;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RunSpec;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.object.ObjectWriter;
import io.filament.sink.s3.internal.object.PartLimits;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a run's memory limit leaves to it.
 *
 * @param spec has the resources that are declared
 * @param format how they are encoded
 * @param limitBytes what the run holds at most
 */
record RunRoom(RunSpec spec, ObjectFormat format, long limitBytes) {

  private static final Logger LOG = LoggerFactory.getLogger(RunRoom.class);

  private static final long MIB = 1 << 20;

  /**
   * Returns the memory of the run.
   *
   * @throws IllegalArgumentException if it is too little for the resources that are declared, or
   *     for one if none is
   */
  RunMemory memory(LongSupplier clock) {
    RunMemory.check("open", format.format().label(), limitBytes, resources(), leastBytes());
    RunMemory memory = new RunMemory(limitBytes, ObjectWriter.MARGIN_BYTES, clock);
    memory.tryShare(ObjectWriter.sharedBytes(format));
    return memory;
  }

  /** Returns how the run's objects are cut, and tells if that is not as it is set. */
  PartLimits parts(PartLimits set) {
    PartLimits fitting = set.within(limitBytes - leastBytes(), spec.resources().size());
    if (fitting.lowered()) {
      LOG.warn(
          "run \"{}\": parts have {} MiB instead of the {} of part_size_mib, since"
              + " memory_limit_mib {} can't hold larger ones; so an object of this run can have"
              + " {} MiB at most, instead of {}",
          spec.runId(),
          fitting.partSizeBytes() / MIB,
          set.partSizeBytes() / MIB,
          limitBytes / MIB,
          fitting.partSizeBytes() * fitting.maxParts() / MIB,
          set.partSizeBytes() * set.maxParts() / MIB);
    }
    return fitting;
  }

  /** A run without resources is of use only if one can come. */
  private int resources() {
    return Math.max(1, spec.resources().size());
  }

  /** Returns what the run holds at least, beside its parts. */
  private long leastBytes() {
    long least =
        ObjectWriter.sharedBytes(format) + ObjectWriter.MARGIN_BYTES + ObjectWriter.ROOM_BYTES;
    for (RunSpec.Resource resource : spec.resources()) {
      least += ObjectWriter.leastBytes(resource.schema(), format);
    }
    if (spec.resources().isEmpty()) {
      least += ObjectWriter.leastBytes(Schema.builder().build(), format);
    }
    return least;
  }
}

package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.memory.RunMemory;
import io.filament.sink.s3.internal.store.Body;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A part filled in writes of this size, with its checksum. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PartBufferBenchmark {

  private static final int PART_BYTES = 16 << 20;

  private final byte[] source = new byte[1 << 16];

  /** The bytes of one write. */
  @Param({"1024", "65536"})
  public int writeBytes;

  @Benchmark
  public Body fill() {
    RunMemory memory = RunMemory.unbounded();
    PartBuffer buffer =
        new PartBuffer(PART_BYTES, new SegmentPool(256, memory), memory.open(() -> "jmh", 0, 0));
    while (!buffer.isFull()) {
      if (buffer.mustGrow() && !buffer.tryGrow()) {
        throw new IllegalStateException("memory has no bound");
      }
      buffer.write(source, 0, writeBytes);
    }
    return buffer.body();
  }
}

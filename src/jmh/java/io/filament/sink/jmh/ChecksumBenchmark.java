package io.filament.sink.jmh;

import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The checksum of a part in writes of this size. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChecksumBenchmark {

  private final byte[] part = new byte[16 << 20];

  /** The bytes of one write. */
  @Param({"1024", "65536"})
  public int writeBytes;

  @Benchmark
  public long crc32c() {
    CRC32C crc = new CRC32C();
    for (int at = 0; at < part.length; at += writeBytes) {
      crc.update(part, at, writeBytes);
    }
    return crc.getValue();
  }
}

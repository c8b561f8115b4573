package io.filament.sink.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The processor time of the JVM's compiler, which the JVM itself does not tell: its counter goes on
 * while a compiler's thread waits for a core. Linux says it of each thread (proc(5)); elsewhere it
 * is 0.
 */
final class CompilerTime {

  private static final Path THREADS = Path.of("/proc/self/task");

  /** What a tick of proc(5) is, with the usual 100 a second. */
  private static final long TICK_NANOS = 10_000_000;

  private static final int USER_TICKS = 11;

  private CompilerTime() {}

  static long nanos() {
    if (!Files.isDirectory(THREADS)) {
      return 0;
    }
    long ticks = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        ticks += ticksOf(thread);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ticks * TICK_NANOS;
  }

  private static long ticksOf(Path thread) {
    try {
      return ticks(Files.readString(thread.resolve("stat")));
    } catch (IOException e) {
      return 0; // it has ended, so it was none of the compiler's
    }
  }

  private static long ticks(String stat) {
    int end = stat.lastIndexOf(')');
    if (!stat.substring(0, end).matches(".*\\(C[12] CompilerThre.*")) {
      return 0;
    }
    String[] rest = stat.substring(end + 2).split(" ", -1);
    return Long.parseLong(rest[USER_TICKS]) + Long.parseLong(rest[USER_TICKS + 1]);
  }
}

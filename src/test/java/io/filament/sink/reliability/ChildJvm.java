package io.filament.sink.reliability;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A main method in a JVM of its own, with this one's class path, whose lines are read as it prints
 * them. It ends when it is closed, or when its standard input does.
 */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader lines;
  private final Path errors;

  private ChildJvm(Process process, Path errors) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
    this.errors = errors;
  }

  static ChildJvm start(Class<?> main, List<String> options, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // What a JVM of two seconds needs: no optimizing compiler, no threads for the collector.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    Path errors = Files.createTempFile("child", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new ChildJvm(process, errors);
  }

  /** Returns the next line, or null where the process has ended. */
  String line() throws IOException {
    return lines.readLine();
  }

  /** Ends the process by SIGKILL: no shutdown hook runs, nothing is flushed. */
  void kill() {
    process.destroyForcibly();
  }

  /** Returns how the process ended, 137 for SIGKILL, with what it wrote to standard error. */
  Ended ended() throws IOException, InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IOException("process " + process.pid() + " does not end");
    }
    return new Ended(process.exitValue(), Files.readString(errors, StandardCharsets.UTF_8));
  }

  /** How a process ended. */
  record Ended(int exitCode, String errors) {

    boolean killed() {
      return exitCode == 128 + 9;
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
    Files.deleteIfExists(errors);
  }
}

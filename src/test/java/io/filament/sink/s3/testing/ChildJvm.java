package io.filament.sink.s3.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main method in a JVM of its own, with a class path or a heap of its own. */
public final class ChildJvm {

  private static final long LIMIT_SECONDS = 120;

  private ChildJvm() {}

  /** The output holds what the process wrote to both of its streams. */
  public record Result(int exitCode, String output) {}

  /** Returns the entries of this JVM's class path. */
  public static List<String> classPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  public static Result run(
      Class<?> main, List<String> classPath, List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile("child", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("no end after " + LIMIT_SECONDS + " s: " + command);
      }
      return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      Files.delete(output);
    }
  }
}

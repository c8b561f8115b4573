package io.filament.sink.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries every case, each in a JVM of its own with a store of its own, and prints what each found.
 * Ends with 1 if one of them went wrong.
 */
final class Scale {

  /** What a JVM ends with that has run out of memory. */
  private static final int OUT_OF_MEMORY = 3;

  private Scale() {}

  public static void main(String[] arguments) throws Exception {
    List<String> lines = new ArrayList<>();
    boolean allGood = true;
    for (ScaleCase tried : Cases.all()) {
      List<String> printed = new ArrayList<>();
      int exit = attempt(tried, printed);
      if (printed.stream().noneMatch(line -> line.startsWith("scale "))) {
        String why = exit == OUT_OF_MEMORY ? "out of memory" : "see above, exit code " + exit;
        printed.add(
            "scale name=%s resources=%d format=%s heap=%s FAILED: %s"
                .formatted(
                    tried.name(), tried.work().resources(), tried.format(), tried.heap(), why));
      }
      printed.forEach(System.out::println);
      lines.addAll(printed);
      allGood &= exit == 0;
    }
    String docs = System.getProperty("scale.docs", "");
    if (!docs.isEmpty()) {
      Path directory = Files.createDirectories(Path.of(docs));
      Files.write(directory.resolve("scale.txt"), lines);
      List<Growth.Point> points = Growth.points(lines);
      if (!points.isEmpty()) {
        Files.writeString(directory.resolve("scale.svg"), Growth.chart(points));
      }
    }
    System.exit(allGood ? 0 : 1);
  }

  private static int attempt(ScaleCase tried, List<String> printed)
      throws IOException, InterruptedException {
    Process server =
        java(
            List.of("-Xmx128m"), CheckingServer.class, Integer.toString(tried.storeMibPerSecond()));
    try {
      int port = Integer.parseInt(lines(server.getInputStream()).readLine());
      List<String> options = new ArrayList<>();
      options.add("-Xmx" + tried.heap());
      options.add("-XX:+ExitOnOutOfMemoryError");
      options.add("-Dscale.port=" + port);
      System.getProperties().stringPropertyNames().stream()
          .filter(name -> name.startsWith("scale.") && !name.equals("scale.cases"))
          .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
      Process run = java(options, ScaleRun.class, tried.name());
      try (BufferedReader reader = lines(run.getInputStream())) {
        reader
            .lines()
            .filter(line -> line.startsWith("scale ") || line.startsWith("problem "))
            .forEach(printed::add);
      }
      return run.waitFor();
    } finally {
      server.destroy();
    }
  }

  /** Starts a JVM; the Serial collector has the least memory and threads of its own. */
  private static Process java(List<String> options, Class<?> main, String argument)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:-UseDynamicNumberOfCompilerThreads"); // one that ends takes its time along
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.add(argument);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static BufferedReader lines(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }
}

package io.filament.sink.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures everything, each thing in a JVM of its own, so that what one compiles and collects is
 * not another's. Prints a line {@code ratio ours/peer 1.72 cpu 1.65 wall} for each pair: the peer's
 * median time divided by ours.
 */
final class Bench {

  private static final List<String> OTHERS = List.of("garbage", "scale-rows", "scale-resources");

  private Bench() {}

  public static void main(String[] arguments) throws Exception {
    Options options = Options.fromProperties();
    List<String> lines = new ArrayList<>();
    List<Chart.Bar> bars = new ArrayList<>();
    for (Pair pair : Pairs.ALL) {
      if (options.wants(pair.name())) {
        List<String> printed = measure(pair.name());
        lines.addAll(printed);
        printed.stream()
            .filter(line -> line.startsWith("ratio "))
            .forEach(line -> bars.add(bar(pair, line)));
      }
    }
    for (String other : OTHERS) {
      if (options.wants(other)) {
        lines.addAll(measure(other));
      }
    }
    String docs = System.getProperty("bench.docs", "");
    if (!docs.isEmpty() && !bars.isEmpty()) {
      Path directory = Files.createDirectories(Path.of(docs));
      Files.writeString(directory.resolve("ratios.svg"), Chart.of(bars));
      Files.write(directory.resolve("results.txt"), lines);
    }
  }

  private static Chart.Bar bar(Pair pair, String line) {
    List<String> words = List.of(line.split(" "));
    double ratio = Double.parseDouble(pair.unit() == Pair.Unit.CPU ? words.get(2) : words.get(4));
    return new Chart.Bar(
        pair.name() + (pair.unit() == Pair.Unit.CPU ? "" : " (wall)"), ratio, pair.target());
  }

  private static List<String> measure(String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    String heap = System.getProperty("bench.heap", "2g");
    command.add("-Xms" + heap);
    command.add("-Xmx" + heap);
    command.addAll(Options.asArguments());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Child.class.getName());
    command.add(name);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        System.out.println(line);
        lines.add(line);
      }
    }
    if (process.waitFor() != 0) {
      throw new IOException("measuring " + name + " ended with " + process.exitValue());
    }
    return lines;
  }
}

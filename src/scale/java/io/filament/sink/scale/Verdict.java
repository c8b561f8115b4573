package io.filament.sink.scale;

import io.filament.sink.RunManifest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares the manifest with what the store has received. */
final class Verdict {

  private static final String PARQUET_MAGIC = "50415231"; // PAR1
  private static final long MIB = 1 << 20;

  private final ScaleCase tried;
  private final Map<String, String[]> objects = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private Verdict(ScaleCase tried) {
    this.tried = tried;
  }

  /** Returns what is wrong, in words; nothing if all is right. */
  static List<String> of(ScaleCase tried, RunManifest manifest, Map<String, Long> rows, URI store)
      throws IOException, InterruptedException {
    Verdict verdict = new Verdict(tried);
    verdict.read(store);
    verdict.compare(manifest, rows);
    return verdict.problems;
  }

  private void read(URI store) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    String report =
        client
            .send(
                HttpRequest.newBuilder(store.resolve("/report")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    for (String line : report.split("\n", -1)) {
      String[] words = line.split("\t", -1);
      switch (words[0]) {
        case "object" -> objects.put(words[1], words);
        case "open" -> expect("open uploads", "0", words[1]);
        default -> problems.add(line);
      }
    }
  }

  private void compare(RunManifest manifest, Map<String, Long> rows) {
    expect("resources", rows.size(), manifest.resources().size());
    expect(
        "objects and manifest of " + manifest.run(),
        rows.size() + 1L,
        objects.keySet().stream().filter(key -> key.contains("/" + manifest.run())).count());
    for (RunManifest.Entry entry : manifest.resources()) {
      String[] found = objects.get("/scale/" + entry.key());
      if (found == null) {
        problems.add(entry.key() + " is not in the store");
        continue;
      }
      expect(entry.key() + " rows", rows.get(entry.name()), entry.rows());
      expect(entry.key() + " bytes", entry.bytes(), found[2]);
      expect(entry.key() + " CRC-32C", entry.crc32c(), found[3]);
      if (!found[4].equals("0") && !found[4].equals("1")) {
        long part = MIB * (int) tried.settings().get("part_size_mib");
        expect(entry.key() + " part size", part, found[5]);
      }
      if (tried.format().equals("parquet")) {
        expect(entry.key() + " begin", PARQUET_MAGIC, found[7]);
        expect(entry.key() + " end", PARQUET_MAGIC, found[8]);
      } else {
        expect(entry.key() + " lines", entry.rows(), found[6]);
      }
    }
  }

  private void expect(String what, Object expected, Object found) {
    if (!String.valueOf(expected).equals(String.valueOf(found))) {
      problems.add("%s: %s, not %s".formatted(what, found, expected));
    }
  }
}

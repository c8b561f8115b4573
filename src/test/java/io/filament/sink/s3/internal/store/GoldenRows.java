package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the files that src/test/go/golden prints. */
final class GoldenRows {

  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:\\\\|u([0-9a-f]{4}))");

  private GoldenRows() {}

  /** Returns the rows of a file, each with its columns, without escapes. */
  static List<List<String>> read(String name) {
    try (InputStream in = GoldenRows.class.getResourceAsStream("/golden/v1/" + name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .map(line -> List.of(line.split("\t", -1)).stream().map(GoldenRows::unescaped).toList())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String unescaped(String column) {
    return ESCAPE
        .matcher(column)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    match.group(1) == null
                        ? "\\"
                        : Character.toString(Integer.parseInt(match.group(1), 16))));
  }
}

package io.filament.sink.s3;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was meant by a mistyped one. */
final class ClosestName {

  private static final int MAX_EDITS = 2;

  private ClosestName() {}

  /**
   * Returns the known name that differs least, by two letters at most; case and {@code _} aside.
   */
  static Optional<String> of(String typed, List<String> known) {
    return known.stream()
        .filter(name -> edits(bare(typed), bare(name)) <= MAX_EDITS)
        .min(Comparator.comparingInt(name -> edits(bare(typed), bare(name))));
  }

  private static String bare(String name) {
    return name.replaceAll("[_\\- .]", "").toLowerCase(Locale.ROOT);
  }

  /** The Levenshtein distance, by rows of its table. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}

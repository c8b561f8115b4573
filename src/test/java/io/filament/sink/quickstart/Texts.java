package io.filament.sink.quickstart;

import java.util.List;
import java.util.Locale;

/** How numbers and tables look in the output. */
final class Texts {

  private static final int WIDEST_CELL = 26;

  private Texts() {}

  /** Returns a size in the unit that reads best. */
  static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " B  ";
    }
    double kibibytes = bytes / 1024.0;
    return kibibytes < 1024
        ? String.format(Locale.ROOT, "%.1f KiB", kibibytes)
        : String.format(Locale.ROOT, "%.1f MiB", kibibytes / 1024);
  }

  /** Returns a number with its thousands apart. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns rows of cells as lines, with each column as wide as its widest cell. */
  static List<String> table(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], cell(row.get(i)).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cell(row.get(i));
      line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
    }
    return line.toString().stripTrailing();
  }

  private static String cell(String text) {
    return text.length() <= WIDEST_CELL ? text : text.substring(0, WIDEST_CELL - 2) + "..";
  }
}

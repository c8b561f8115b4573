package io.filament.sink.scale;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a record and a run cost, by the number of resources and of records, as SVG. */
final class Growth {

  private static final Pattern LINE =
      Pattern.compile(
          "scale name=growth-(resources|open|rows)-(\\d+)m?-(\\w+) .* peak=([0-9.]+)MiB .* cpu/row=([0-9.]+)us compiler/row=([0-9.]+)us .*");
  private static final int WIDTH = 400;
  private static final int HEIGHT = 230;
  private static final int LEFT = 55;
  private static final int BOTTOM = 40;
  private static final int TOP = 30;
  private static final List<String> FORMATS = List.of("parquet", "ndjson");
  private static final List<String> COLOURS = List.of("#5e81ac", "#d08770");

  private Growth() {}

  /**
   * One case.
   *
   * @param by what grew: {@code resources}, those that are {@code open} at once, or {@code rows}
   * @param size how many resources, or million records
   * @param cpuMicros processor time of a record, without the compiler's
   */
  record Point(String by, String format, double size, double peakMib, double cpuMicros) {}

  static List<Point> points(List<String> lines) {
    List<Point> points = new ArrayList<>();
    for (String line : lines) {
      Matcher found = LINE.matcher(line);
      if (found.matches()) {
        points.add(
            new Point(
                found.group(1),
                found.group(3),
                Double.parseDouble(found.group(2)),
                Double.parseDouble(found.group(4)),
                Double.parseDouble(found.group(5)) - Double.parseDouble(found.group(6))));
      }
    }
    points.sort(Comparator.comparing(Point::size));
    return points;
  }

  static String chart(List<Point> points) {
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">",
        2 * WIDTH,
        3 * HEIGHT);
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    int row = 0;
    for (String by : List.of("resources", "open", "rows")) {
      String unit =
          switch (by) {
            case "resources" -> "resources, one by one";
            case "open" -> "resources open at once";
            default -> "million records";
          };
      List<Point> of = points.stream().filter(point -> point.by.equals(by)).toList();
      panel(svg, 0, row, "processor time, µs a record, by " + unit, of, Point::cpuMicros);
      panel(svg, 1, row, "peak of the heap, MiB, by " + unit, of, Point::peakMib);
      row++;
    }
    return svg.append("</svg>\n").toString();
  }

  private static void panel(
      StringBuilder svg,
      int column,
      int row,
      String title,
      List<Point> points,
      ToDoubleFunction<Point> value) {
    double most = points.stream().mapToDouble(value).max().orElse(1) * 1.1;
    double widest = points.stream().mapToDouble(Point::size).max().orElse(1);
    add(svg, "<g transform=\"translate(%d,%d)\">", column * WIDTH, row * HEIGHT);
    add(svg, "<text x=\"10\" y=\"18\">%s</text>", title);
    add(
        svg,
        "<path d=\"M%d %d V%d H%d\" stroke=\"black\" fill=\"none\"/>",
        LEFT,
        TOP,
        HEIGHT - BOTTOM,
        WIDTH - 20);
    add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.1f</text>", LEFT - 5, TOP + 8, most);
    add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>", LEFT - 5, HEIGHT - BOTTOM);
    points.stream()
        .map(Point::size)
        .distinct()
        .forEach(
            size ->
                add(
                    svg,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>",
                    x(size, widest),
                    HEIGHT - BOTTOM + 16,
                    size));
    for (int i = 0; i < FORMATS.size(); i++) {
      line(svg, i, points, widest, point -> y(value.applyAsDouble(point), most));
    }
    add(svg, "</g>");
  }

  private static void line(
      StringBuilder svg, int i, List<Point> points, double widest, ToDoubleFunction<Point> height) {
    List<Point> of = points.stream().filter(p -> p.format.equals(FORMATS.get(i))).toList();
    StringBuilder path = new StringBuilder();
    for (Point point : of) {
      path.append(
          String.format(
              Locale.ROOT,
              "%s%.1f %.1f ",
              path.isEmpty() ? "M" : "L",
              x(point.size, widest),
              height.applyAsDouble(point)));
    }
    for (Point point : of) {
      add(
          svg,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>",
          x(point.size, widest),
          height.applyAsDouble(point),
          COLOURS.get(i));
    }
    add(
        svg,
        "<path d=\"%s\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"/>",
        path.toString().strip(),
        COLOURS.get(i));
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
        LEFT + 10 + 80 * i,
        HEIGHT - 6,
        COLOURS.get(i),
        FORMATS.get(i));
  }

  /** Each ten times as many is as far from the one before. */
  private static double x(double size, double widest) {
    double decades = Math.max(1, Math.log10(widest));
    return LEFT + 15 + Math.log10(size) / decades * (WIDTH - LEFT - 55);
  }

  private static double y(double value, double most) {
    return HEIGHT - BOTTOM - value / most * (HEIGHT - BOTTOM - TOP);
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}

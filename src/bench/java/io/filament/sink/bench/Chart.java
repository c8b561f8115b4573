package io.filament.sink.bench;

import java.util.List;
import java.util.Locale;

/** Bars of ratios, each with its target as a line, as SVG. */
final class Chart {

  private static final int LEFT = 300;
  private static final int WIDTH = 760;
  private static final int STEP = 26;
  private static final int TOP = 34;

  private Chart() {}

  /**
   * One ratio.
   *
   * @param target what is aimed at, or 0
   */
  record Bar(String name, double ratio, double target) {

    boolean misses() {
      return target > 0 && ratio < target;
    }
  }

  static String of(List<Bar> bars) {
    double most = bars.stream().mapToDouble(b -> Math.max(b.ratio, b.target)).max().orElse(1);
    double scale = (WIDTH - LEFT - 60) / most;
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH,
        TOP + STEP * bars.size() + 10);
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    add(
        svg,
        "<text x=\"10\" y=\"18\">The peer's time divided by the sink's; the line is the target</text>");
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int y = TOP + STEP * i;
      add(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 8, y + 14, bar.name);
      add(
          svg,
          "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>",
          LEFT,
          y,
          bar.ratio * scale,
          bar.misses() ? "#d08770" : "#5e81ac");
      add(
          svg,
          "<text x=\"%.1f\" y=\"%d\">%.2f</text>",
          LEFT + Math.max(bar.ratio, bar.target) * scale + 6,
          y + 14,
          bar.ratio);
      if (bar.target > 0) {
        double x = LEFT + bar.target * scale;
        add(
            svg,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"black\" stroke-width=\"2\"/>",
            x,
            x,
            y - 3,
            y + 21);
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}

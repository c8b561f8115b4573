package io.filament.sink.s3.internal.store;

import io.filament.sink.s3.internal.store.PartitionTemplate.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Parses the subset of Go's {@code text/template} that a partition may use. What it takes means the
 * same in Go; it takes no more than one field, call of {@code Format} or string an action. Used
 * once.
 */
final class TemplateParser {

  private static final String ALLOWED =
      "allowed are {{.Date}}, {{.StartedAt}}, {{.StartedAt.Format \"<Go time layout>\"}},"
          + " {{.Resource}}, {{.Run}} and {{ \"text\" }}";
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  // How fmt prints a time.Time (documentation of Go's Time.String).
  private static final GoTimeLayout PRINTED =
      GoTimeLayout.parse("2006-01-02 15:04:05.999999999 -0700 MST");
  private static final GoTimeLayout DATE = GoTimeLayout.parse("2006-01-02");

  private final String text;
  private final int skippedChars;
  private final List<Function<Values, String>> pieces = new ArrayList<>();
  private int position;

  /**
   * @param skippedChars how many characters the user wrote before the text, for messages
   */
  TemplateParser(String text, int skippedChars) {
    this.text = text;
    this.skippedChars = skippedChars;
  }

  List<Function<Values, String>> parse() {
    int open = text.indexOf(OPEN);
    while (open >= 0) {
      String before = text.substring(position, open);
      position = open + OPEN.length();
      // A trim marker is a minus with a blank at its inner side, so that {{-3}} is a number.
      boolean trims = text.startsWith("-", position) && isSpace(position + 1);
      addText(trims ? withoutTrailingSpaces(before) : before);
      position += trims ? 2 : 0;
      skipSpaces();
      pieces.add(operand(open));
      close(open);
      open = text.indexOf(OPEN, position);
    }
    addText(text.substring(position));
    return pieces;
  }

  private void addText(String literal) {
    pieces.add(values -> literal);
  }

  private Function<Values, String> operand(int open) {
    if (position == text.length()) {
      throw unclosed(open);
    }
    if (text.startsWith(CLOSE, position) || text.startsWith("-" + CLOSE, position)) {
      throw refused(position, "there is nothing between the braces");
    }
    return switch (text.charAt(position)) {
      case '"', '`' -> {
        String literal = string();
        yield values -> literal;
      }
      case '.' -> field();
      default -> throw unexpected();
    };
  }

  private Function<Values, String> field() {
    int start = position;
    while (position < text.length() && isFieldChar(text.charAt(position))) {
      position++;
    }
    String name = text.substring(start, position);
    return switch (name) {
      case ".Date" -> values -> DATE.format(values.startedAt());
      case ".StartedAt" -> values -> PRINTED.format(values.startedAt());
      case ".StartedAt.Format" -> format();
      case ".Resource" -> Values::folder;
      case ".Run" -> Values::run;
      default -> throw refused(start, "unknown placeholder " + VisibleText.quoted(name));
    };
  }

  private Function<Values, String> format() {
    int end = position;
    skipSpaces();
    if (position == end || position == text.length() || !isQuote(text.charAt(position))) {
      throw refused(position, ".StartedAt.Format needs a blank and a layout in quotes");
    }
    GoTimeLayout layout = GoTimeLayout.parse(string());
    return values -> layout.format(values.startedAt());
  }

  private String string() {
    int start = position;
    position = GoStringLiteral.end(text, start);
    if (position < 0) {
      throw refused(start, "the string isn't closed");
    }
    try {
      return GoStringLiteral.value(text.substring(start, position));
    } catch (IllegalArgumentException e) {
      throw refused(start, String.valueOf(e.getMessage()));
    }
  }

  private void close(int open) {
    int end = position;
    skipSpaces();
    if (text.startsWith(CLOSE, position)) {
      position += CLOSE.length();
    } else if (position > end && text.startsWith("-" + CLOSE, position)) {
      position += 1 + CLOSE.length();
      skipSpaces();
    } else if (position == text.length()) {
      throw unclosed(open);
    } else {
      throw unexpected();
    }
  }

  private IllegalArgumentException unclosed(int open) {
    return refused(open, "the braces aren't closed");
  }

  private IllegalArgumentException unexpected() {
    String hint =
        text.charAt(position) == '-' ? " (a trim marker needs a blank at its inner side)" : "";
    int end = text.indexOf(CLOSE, position);
    String rest = text.substring(position, end <= position ? text.length() : end);
    return refused(position, "unexpected " + VisibleText.quoted(rest) + hint);
  }

  private IllegalArgumentException refused(int at, String problem) {
    return new IllegalArgumentException(
        "position " + (skippedChars + at + 1) + " (counted from 1): " + problem + "; " + ALLOWED);
  }

  private void skipSpaces() {
    while (isSpace(position)) {
      position++;
    }
  }

  /** Go's template lexer knows these four. */
  private boolean isSpace(int at) {
    return at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0;
  }

  private static String withoutTrailingSpaces(String literal) {
    int end = literal.length();
    while (end > 0 && " \t\r\n".indexOf(literal.charAt(end - 1)) >= 0) {
      end--;
    }
    return literal.substring(0, end);
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '`';
  }

  private static boolean isFieldChar(char c) {
    return c == '.' || c == '_' || Character.isLetterOrDigit(c);
  }
}

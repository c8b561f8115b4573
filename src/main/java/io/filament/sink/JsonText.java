package io.filament.sink;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Writes a tree of maps, lists, texts, numbers and booleans as JSON (RFC 8259), two blanks a level.
 * The contract has no library for it.
 */
final class JsonText {

  private final StringBuilder out = new StringBuilder();

  private JsonText() {}

  static String of(Object tree) {
    JsonText text = new JsonText();
    text.value(tree, 0);
    return text.out.append('\n').toString();
  }

  private void value(Object value, int level) {
    if (value instanceof Map<?, ?> map) {
      Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
      block('{', '}', map.size(), level, () -> member(entries.next(), level + 1));
    } else if (value instanceof List<?> list) {
      Iterator<?> elements = list.iterator();
      block('[', ']', list.size(), level, () -> value(elements.next(), level + 1));
    } else if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof String text) {
      string(text);
    } else {
      throw new IllegalArgumentException("no JSON value: " + value.getClass().getName());
    }
  }

  private void member(Map.Entry<?, ?> entry, int level) {
    string((String) entry.getKey());
    out.append(": ");
    value(entry.getValue(), level);
  }

  private void block(char open, char close, int size, int level, Runnable next) {
    out.append(open);
    for (int i = 0; i < size; i++) {
      out.append(i == 0 ? "\n" : ",\n").append("  ".repeat(level + 1));
      next.run();
    }
    if (size > 0) {
      out.append('\n').append("  ".repeat(level));
    }
    out.append(close);
  }

  private void string(String text) {
    out.append('"');
    text.codePoints()
        .forEach(
            codePoint -> {
              if (codePoint == '"' || codePoint == '\\') {
                out.append('\\').appendCodePoint(codePoint);
              } else if (codePoint < ' ' || Character.getType(codePoint) == Character.SURROGATE) {
                // Half a surrogate pair has no UTF-8 form, and an escape keeps it.
                out.append("\\u%04x".formatted(codePoint));
              } else {
                out.appendCodePoint(codePoint);
              }
            });
    out.append('"');
  }
}

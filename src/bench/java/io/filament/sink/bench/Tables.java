package io.filament.sink.bench;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.bench.Table.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** The table that is made up; {@link PublicTables} has those of public data. */
final class Tables {

  private static final long SEED = 20_260_910;
  private static final int WORDS = 2_000;
  private static final int NOTES = 10_000;

  private final int rows;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<Values> columns = new ArrayList<>();

  private Tables(int rows) {
    this.rows = rows;
  }

  /** Twelve columns as tables have them: keys, codes, money, addresses, sentences, times. */
  static Table wide(int rows) {
    return new Tables(rows).wide();
  }

  private Table wide() {
    String[] words = strings(WORDS, i -> letters(2 + random.nextInt(9)));
    String[] codes = strings(200, i -> "" + (char) ('A' + i / 26) + (char) ('A' + i % 26));
    String[] notes =
        strings(NOTES, i -> words[random.nextInt(WORDS)] + "-" + words[random.nextInt(WORDS)] + i);
    String[] hosts = {"example.com", "mail.example.org", "corp.example.net", "shop.example.io"};
    longs("id", FieldType.INT64, 0, row -> 1_000_000L + row);
    longs("category", FieldType.INT32, 0, row -> random.nextInt(50));
    doubles(
        "price",
        row -> {
          double price = (random.nextDouble() - 0.5) * 20_000;
          return row % 2 == 0 ? Math.rint(price * 1000) / 1000 : price;
        });
    longs(
        "amount", FieldType.decimal(18, 2), 0, row -> random.nextLong(1_000_000_000) - 100_000_000);
    longs("flag", FieldType.BOOLEAN, 0, row -> random.nextInt(4) == 0 ? 1 : 0);
    texts("code", 0, row -> codes[(int) (random.nextDouble() * random.nextDouble() * 200)]);
    texts(
        "email",
        0,
        row ->
            words[random.nextInt(WORDS)]
                + "."
                + (100_000 + random.nextInt(900_000))
                + "@"
                + hosts[random.nextInt(hosts.length)]);
    texts("sentence", 0, row -> sentence(words));
    longs("day", FieldType.DATE, 0, row -> 16_000 + random.nextInt(3_650));
    longs(
        "updated",
        FieldType.TIMESTAMP,
        0,
        row -> 1_700_000_000_000_000L + row * 1_000_000L + random.nextInt(1_000_000));
    texts("note", 30, row -> notes[random.nextInt(NOTES)]);
    longs("quantity", FieldType.INT64, 10, row -> random.nextInt(1_000_000));
    return new Table(rows, columns);
  }

  /** 40 to 120 characters; 15 of 100 with letters beyond ASCII, 8 with what JSON escapes. */
  private String sentence(String[] words) {
    String[] foreign = {"café", "Żółw", "東京", "Москва", "\ud83d\ude80", "über"};
    String[] escaped = {"\"quoted\"", "back\\slash", "line\nbreak", "tab\there"};
    int kind = random.nextInt(100);
    String[] special = kind < 15 ? foreign : escaped;
    int length = 40 + random.nextInt(70);
    StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      boolean ordinary = kind >= 23 || random.nextInt(6) != 0;
      text.append(
          ordinary ? words[random.nextInt(WORDS)] : special[random.nextInt(special.length)]);
      text.append(' ');
    }
    return text.toString();
  }

  private String letters(int length) {
    char[] text = new char[length];
    for (int i = 0; i < length; i++) {
      text[i] = (char) ('a' + random.nextInt(26));
    }
    return new String(text);
  }

  private static String[] strings(int count, IntFunction<String> text) {
    String[] all = new String[count];
    Arrays.setAll(all, text);
    return all;
  }

  private void longs(String name, FieldType type, int nullPercent, IntToLongFunction value) {
    long[] values = new long[rows];
    Arrays.setAll(values, value);
    add(name, type, nullPercent, values, null, null);
  }

  private void doubles(String name, IntToDoubleFunction value) {
    double[] values = new double[rows];
    Arrays.setAll(values, value);
    add(name, FieldType.FLOAT64, 0, null, values, null);
  }

  private void texts(String name, int nullPercent, IntFunction<String> value) {
    String[] values = new String[rows];
    // A copy, since rows of a source share no strings.
    Arrays.setAll(values, row -> new String(value.apply(row).toCharArray()));
    add(name, FieldType.STRING, nullPercent, null, null, values);
  }

  private void add(
      String name,
      FieldType type,
      int nullPercent,
      long @Nullable [] longs,
      double @Nullable [] doubles,
      String @Nullable [] texts) {
    boolean[] nulls = null;
    if (nullPercent > 0) {
      nulls = new boolean[rows];
      for (int row = 0; row < rows; row++) {
        nulls[row] = random.nextInt(100) < nullPercent;
        if (nulls[row] && texts != null) {
          texts[row] = null;
        }
      }
    }
    columns.add(new Values(new Field(name, type, nullPercent > 0), longs, doubles, texts, nulls));
  }
}

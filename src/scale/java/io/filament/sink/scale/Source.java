package io.filament.sink.scale;

import io.filament.sink.Column;
import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives any number of records and keeps few: the same few batches, as columns, for all resources.
 * Any thread may call.
 */
final class Source {

  static final int BATCH_ROWS = 500;

  private static final int KEPT = 16;
  private static final Schema SCHEMA =
      Schema.builder()
          .required("id", FieldType.INT64)
          .required("category", FieldType.INT32)
          .required("price", FieldType.FLOAT64)
          .required("amount", FieldType.decimal(18, 2))
          .required("email", FieldType.STRING)
          .required("sentence", FieldType.STRING)
          .required("updated", FieldType.TIMESTAMP)
          .nullable("note", FieldType.STRING)
          .build();

  private final SplittableRandom random = new SplittableRandom(20_260_910);
  private final String[] words = new String[2_000];
  private final List<List<Column>> batches = new ArrayList<>();

  Source() {
    Arrays.setAll(words, i -> letters(2 + random.nextInt(9)));
    for (int i = 0; i < KEPT; i++) {
      batches.add(columns(i));
    }
  }

  static Schema schema() {
    return SCHEMA;
  }

  /** Returns the n-th batch of a resource, with as many records as there are, or fewer. */
  RecordBatch batch(String resource, long n, int rows) {
    return RecordBatch.ofColumns(resource, SCHEMA, rows, batches.get((int) (n % KEPT)));
  }

  private List<Column> columns(int batch) {
    long first = 1_000_000L + (long) batch * BATCH_ROWS;
    boolean[] nulls = new boolean[BATCH_ROWS];
    for (int row = 0; row < nulls.length; row++) {
      nulls[row] = random.nextInt(10) < 3;
    }
    return List.of(
        longs(row -> first + row),
        longs(row -> random.nextInt(50)),
        doubles(),
        longs(row -> random.nextLong(1_000_000_000)),
        texts(null, () -> word() + "." + random.nextInt(1_000_000) + "@example.com"),
        texts(null, this::sentence),
        longs(row -> 1_700_000_000_000_000L + row * 1_000_000L + random.nextInt(1_000_000)),
        texts(nulls, () -> word() + "-" + word()));
  }

  private Column longs(IntToLongFunction value) {
    long[] values = new long[BATCH_ROWS];
    Arrays.setAll(values, value);
    return Column.ofLongs(values, null);
  }

  private Column doubles() {
    double[] values = new double[BATCH_ROWS];
    Arrays.setAll(values, row -> (random.nextDouble() - 0.5) * 20_000);
    return Column.ofDoubles(values, null);
  }

  private static Column texts(boolean @Nullable [] nulls, Supplier<String> text) {
    int[] offsets = new int[BATCH_ROWS + 1];
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int row = 0; row < BATCH_ROWS; row++) {
      if (nulls == null || !nulls[row]) {
        bytes.writeBytes(text.get().getBytes(StandardCharsets.UTF_8));
      }
      offsets[row + 1] = bytes.size();
    }
    return Column.ofBytes(bytes.toByteArray(), offsets, nulls);
  }

  private String sentence() {
    StringBuilder text = new StringBuilder();
    int length = 40 + random.nextInt(70);
    while (text.length() < length) {
      text.append(random.nextInt(40) == 0 ? "\"Łódź\"" : word()).append(' ');
    }
    return text.toString();
  }

  private String word() {
    return words[random.nextInt(words.length)];
  }

  private String letters(int length) {
    char[] text = new char[length];
    for (int i = 0; i < length; i++) {
      text[i] = (char) ('a' + random.nextInt(26));
    }
    return new String(text);
  }
}

package io.filament.sink.s3;

import io.filament.sink.FieldType;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The records of one resource of a chaos run: as NDJSON they have a chosen number of bytes. */
record ChaosRows(String resource, boolean declared, List<String> texts) {

  static final Schema SCHEMA =
      Schema.builder().required("id", FieldType.INT64).nullable("text", FieldType.STRING).build();

  /** The ids of another variant differ in a digit and have as many of them. */
  private static final long VARIANT = 10_000;

  private static final long FIRST_ID = 10_000;
  private static final int OTHER_BYTES = "{\"id\":10000,\"text\":\"\"}\n".length();
  private static final int MOST_TEXT = 80;

  /** A record, as it is written and as it is read back. */
  record Row(long id, String text) {}

  /** Some records that follow each other; the last is replaced by one that does not fit. */
  record Batch(ChaosRows rows, int from, int to, boolean bad) {

    @Override
    public String toString() {
      return rows.resource() + " " + from + "-" + to + (bad ? " bad" : "");
    }

    Batch mended() {
      return new Batch(rows, from, to, false);
    }

    RecordBatch records(int variant) {
      List<Object[]> records = new ArrayList<>();
      for (Row row : rows.rows(from, to, variant)) {
        records.add(new Object[] {row.id(), row.text()});
      }
      if (bad) {
        records.add(new Object[] {null, "bad"});
      }
      return RecordBatch.ofRows(rows.resource(), SCHEMA, records);
    }
  }

  static ChaosRows draw(Random random, String resource, int partSize) {
    int border = partSize * random.nextInt(6);
    int target =
        random.nextBoolean() ? border - 1 + random.nextInt(3) : random.nextInt(5 * partSize);
    List<String> texts = new ArrayList<>();
    int left = target;
    while (left >= OTHER_BYTES) {
      int length = random.nextInt(Math.min(MOST_TEXT, left - OTHER_BYTES) + 1);
      left -= OTHER_BYTES + length;
      // What would be too short for a record of its own belongs to the last one.
      texts.add(text(random, left < OTHER_BYTES ? length + left : length));
    }
    return new ChaosRows(resource, texts.isEmpty() || random.nextBoolean(), List.copyOf(texts));
  }

  /** Cuts the records into batches, in their order. */
  List<Batch> batches(Random random) {
    List<Batch> batches = new ArrayList<>();
    int from = 0;
    while (from < texts.size()) {
      int to = from + random.nextInt(texts.size() - from + 1);
      batches.add(new Batch(this, from, to, false));
      from = to;
    }
    return batches;
  }

  List<Row> rows(int from, int to, int variant) {
    List<Row> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(new Row(FIRST_ID + variant * VARIANT + i, texts.get(i)));
    }
    return rows;
  }

  private static String text(Random random, int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return "%s(%d records%s)".formatted(resource, texts.size(), declared ? ", declared" : "");
  }
}

package io.filament.sink.quickstart;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Airports of the United States, from a CSV file: a flat table of text and numbers. */
final class Airports implements DataSet {

  static final int LATITUDE = 5;
  private static final int LONGITUDE = 6;

  private static final Schema SCHEMA =
      Schema.builder()
          .required("iata", FieldType.STRING)
          .required("name", FieldType.STRING)
          .nullable("city", FieldType.STRING)
          .nullable("state", FieldType.STRING)
          .required("country", FieldType.STRING)
          .required("latitude", FieldType.FLOAT64)
          .required("longitude", FieldType.FLOAT64)
          .build();

  @Override
  public String resource() {
    return "airports";
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public List<Reading> readings() {
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < SCHEMA.fields().size(); i++) {
      int position = i;
      String name = SCHEMA.fields().get(i).name();
      readings.add(
          new Reading(
              name,
              name,
              row -> row[position],
              name.equals("country") ? Detail.COMPARED : Detail.SHOWN));
    }
    return readings;
  }

  @Override
  public void forEachRow(RowConsumer consumer) throws IOException {
    try (BufferedReader reader = DataSet.open("airports.csv")) {
      reader.readLine(); // the header
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        Object[] row = fields(line).toArray();
        row[LATITUDE] = Double.valueOf((String) row[LATITUDE]);
        row[LONGITUDE] = Double.valueOf((String) row[LONGITUDE]);
        consumer.accept(row);
      }
    }
  }

  /** Splits a line of CSV (RFC 4180); no field of this file holds a quote or a line break. */
  private static List<String> fields(String line) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }
}

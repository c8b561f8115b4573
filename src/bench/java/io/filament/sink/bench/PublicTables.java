package io.filament.sink.bench;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import io.filament.sink.bench.Table.Values;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Tables of public data: the rows of a CSV file, over and over. */
final class PublicTables {

  private static final Schema AIRPORT =
      Schema.builder()
          .required("iata", FieldType.STRING)
          .required("name", FieldType.STRING)
          .required("city", FieldType.STRING)
          .required("state", FieldType.STRING)
          .required("country", FieldType.STRING)
          .required("latitude", FieldType.FLOAT64)
          .required("longitude", FieldType.FLOAT64)
          .build();

  private static final Schema BIRDSTRIKE =
      Schema.builder()
          .required("airport_name", FieldType.STRING)
          .required("aircraft_make_model", FieldType.STRING)
          .required("effect_amount_of_damage", FieldType.STRING)
          .required("flight_date", FieldType.DATE)
          .required("aircraft_airline_operator", FieldType.STRING)
          .required("origin_state", FieldType.STRING)
          .required("phase_of_flight", FieldType.STRING)
          .required("wildlife_size", FieldType.STRING)
          .required("wildlife_species", FieldType.STRING)
          .required("time_of_day", FieldType.STRING)
          .required("cost_other", FieldType.INT64)
          .required("cost_repair", FieldType.INT64)
          .required("cost_total", FieldType.INT64)
          .nullable("speed_ias_in_knots", FieldType.INT32)
          .build();

  private PublicTables() {}

  /** The 3,376 airports of the quickstart. */
  static Table airports(int rows) throws SQLException {
    return table("src/test/resources/quickstart/airports.csv", AIRPORT, rows);
  }

  /** 10,000 strikes of birds: texts of few values, a date, whole numbers, gaps. */
  static Table birdstrikes(int rows) throws SQLException {
    return table("src/bench/resources/birdstrikes.csv.gz", BIRDSTRIKE, rows);
  }

  /** The schema names the file's columns in their order. */
  private static Table table(String file, Schema schema, int rows) throws SQLException {
    List<@Nullable Object[]> lines = lines(file, schema.fields().size());
    List<Values> columns = new ArrayList<>();
    for (int i = 0; i < schema.fields().size(); i++) {
      int column = i;
      columns.add(
          values(schema.fields().get(i), rows, row -> lines.get(row % lines.size())[column]));
    }
    return new Table(rows, columns);
  }

  /** DuckDB finds out which columns are numbers and dates. */
  private static List<@Nullable Object[]> lines(String file, int columns) throws SQLException {
    List<@Nullable Object[]> lines = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("FROM read_csv('" + file + "', header = true)")) {
      while (result.next()) {
        Object[] line = new Object[columns];
        for (int i = 0; i < columns; i++) {
          line[i] = result.getObject(i + 1);
        }
        lines.add(line);
      }
    }
    return lines;
  }

  private static Values values(Field field, int rows, IntFunction<@Nullable Object> cell) {
    boolean[] nulls = null;
    if (field.nullable()) {
      nulls = new boolean[rows];
      for (int row = 0; row < rows; row++) {
        nulls[row] = cell.apply(row) == null;
      }
    }
    if (field.type() == FieldType.STRING) {
      String[] texts = new String[rows];
      // A copy, since rows of a source share no strings.
      Arrays.setAll(texts, row -> new String(((String) cell.apply(row)).toCharArray()));
      return new Values(field, null, null, texts, nulls);
    }
    if (field.type() == FieldType.FLOAT64) {
      double[] doubles = new double[rows];
      Arrays.setAll(doubles, row -> (Double) cell.apply(row));
      return new Values(field, null, doubles, null, nulls);
    }
    long[] longs = new long[rows];
    Arrays.setAll(longs, row -> whole(cell.apply(row)));
    return new Values(field, longs, null, null, nulls);
  }

  private static long whole(@Nullable Object cell) {
    if (cell == null) {
      return 0;
    }
    return cell instanceof LocalDate date ? date.toEpochDay() : ((Number) cell).longValue();
  }
}

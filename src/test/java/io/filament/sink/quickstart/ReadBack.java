package io.filament.sink.quickstart;

import io.filament.sink.quickstart.DataSet.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.duckdb.DuckDBDriver;

/** Reads objects with DuckDB's own readers and compares every record with the source's. */
final class ReadBack implements AutoCloseable {

  private final Connection connection;

  /**
   * @param folder where the objects are, with their keys as paths
   */
  ReadBack(Path folder) throws SQLException {
    this.connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET file_search_path = '" + quoted(folder.toString()) + "'");
    }
  }

  /** Returns the version of DuckDB. */
  String version() throws SQLException {
    return connection.getMetaData().getDatabaseProductVersion();
  }

  /**
   * Compares what a glob finds with what the source holds, in the order of the records.
   *
   * @param from the reader with the glob, as {@code read_parquet('a/*.parquet')}
   * @param partition the value of the partition column {@code dt}
   */
  Comparison compare(DataSet data, String from, LocalDate partition)
      throws IOException, SQLException {
    List<Reading> readings = new ArrayList<>(data.readings());
    readings.add(Reading.shown("dt", "dt", row -> partition));
    String columns = readings.stream().map(Reading::sql).collect(Collectors.joining(", "));
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT " + columns + " FROM " + from)) {
      Comparison comparison = new Comparison(readings);
      data.forEachRow(row -> comparison.next(row, result));
      comparison.countRest(result);
      return comparison;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private static String quoted(String text) {
    return text.replace("'", "''");
  }
}

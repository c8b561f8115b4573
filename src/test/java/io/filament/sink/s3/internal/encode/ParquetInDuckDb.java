package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Reads a Parquet file with DuckDB, whose reader shares no code with parquet-java. */
final class ParquetInDuckDb implements AutoCloseable {

  private final Path path;
  private final Connection connection;

  ParquetInDuckDb(ParquetFile file, Path directory) throws IOException, SQLException {
    this.path = Files.createTempFile(directory, "read", ".parquet");
    Files.write(path, file.bytes());
    this.connection = DriverManager.getConnection("jdbc:duckdb:");
    execute("SET TimeZone = 'UTC'");
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the rows of a query; {@code $file} in it stands for the file. */
  List<List<Object>> query(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results =
            statement.executeQuery(sql.replace("$file", "read_parquet('" + path + "')"))) {
      List<List<Object>> rows = new ArrayList<>();
      while (results.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= results.getMetaData().getColumnCount(); i++) {
          row.add(results.getObject(i));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** Returns one column of a query's rows. */
  List<Object> values(String sql) throws SQLException {
    return query(sql).stream().map(row -> row.get(0)).toList();
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

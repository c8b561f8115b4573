package io.filament.sink.acceptance;

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

/** DuckDB, the engine that reads objects back. It sees files below a directory. */
final class Duck implements AutoCloseable {

  private final Path directory;
  private final Connection connection;

  Duck(Path directory) throws SQLException {
    this.directory = directory;
    this.connection = DriverManager.getConnection("jdbc:duckdb:");
    rows("SET TimeZone = 'UTC'");
  }

  /** Copies an object to a file whose path says nothing of partitions. */
  String fetch(Bucket bucket, String key) throws IOException {
    Path file = directory.resolve(key.replace('/', '_').replace('=', '-'));
    Files.write(file, bucket.bytes(key));
    return file.toString();
  }

  /** Copies all objects to the places below the directory that their keys name. */
  void fetchAll(Bucket bucket) throws IOException {
    for (String key : bucket.keys()) {
      Path file = directory.resolve(key);
      Files.createDirectories(file.getParent());
      Files.write(file, bucket.bytes(key));
    }
  }

  Path directory() {
    return directory;
  }

  /** Returns the result, a list a row. */
  List<List<Object>> rows(String sql) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return rows;
      }
      try (ResultSet result = statement.getResultSet()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            row.add(result.getObject(i));
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }

  /** Returns the result with every value as DuckDB prints it, null as null. */
  List<List<String>> texts(String sql) throws SQLException {
    List<List<String>> texts = new ArrayList<>();
    for (List<Object> row : rows("SELECT COLUMNS(*)::VARCHAR FROM (" + sql + ")")) {
      texts.add(row.stream().map(value -> (String) value).toList());
    }
    return texts;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

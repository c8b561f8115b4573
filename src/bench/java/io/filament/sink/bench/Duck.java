package io.filament.sink.bench;

import io.filament.sink.Compression;
import io.filament.sink.RecordBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** DuckDB's COPY from a table of its own in memory. */
final class Duck {

  private Duck() {}

  static Side parquet(RecordBatch batch, Compression compression, int threads, Path file)
      throws Exception {
    return copy(batch, "FORMAT parquet, COMPRESSION '" + compression.label() + "'", threads, file);
  }

  /** Level 1 of zstd is what the sink takes. */
  static Side zstdParquet(RecordBatch batch, int threads, Path file) throws Exception {
    String options = "FORMAT parquet, COMPRESSION 'zstd', COMPRESSION_LEVEL 1";
    return copy(batch, options, threads, file);
  }

  static Side json(RecordBatch batch, int threads, Path file) throws Exception {
    return copy(batch, "FORMAT json", threads, file);
  }

  private static Side copy(RecordBatch batch, String options, int threads, Path file)
      throws SQLException, IOException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    fill(connection, batch, threads);
    String sql = "COPY t TO '" + file + "' (" + options + ")";
    return () -> {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    };
  }

  private static void fill(Connection connection, RecordBatch batch, int threads)
      throws SQLException, IOException {
    Path source = Files.createTempFile(Options.directory(), "bench", ".parquet");
    try (Statement statement = connection.createStatement()) {
      Encoding.toFile(
              batch,
              new io.filament.sink.ObjectFormat(
                  io.filament.sink.FileFormat.PARQUET, Compression.NONE),
              source)
          .run();
      statement.execute("SET threads=" + threads);
      statement.execute("CREATE TABLE t AS SELECT * FROM '" + source + "'");
    } catch (SQLException | IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      Files.delete(source);
    }
  }
}

package io.filament.sink.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.s3.testing.S3Endpoint;
import io.filament.sink.s3.testing.S3ProxyServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The SQL for DuckDB in docs/reading-the-data.md gives what was written. DuckDB reads local copies
 * of the objects, since its reader for S3 is an extension that it would have to download.
 */
class ReadingTheDataTest {

  private static final Pattern BLOCK =
      Pattern.compile("^```sql duckdb\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final List<List<String>> COMMITTED =
      List.of(
          List.of("1", "Ada", "12.50", "2026-09-10"), List.of("2", "null", "null", "2026-09-10"));

  @TempDir private Path folder;
  private Connection duckdb;

  @BeforeEach
  void writeRuns() throws Exception {
    duckdb = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
    try (S3ProxyServer server = S3ProxyServer.start();
        S3Client client = server.endpoint().client()) {
      client.createBucket(request -> request.bucket("lake"));
      write(server.endpoint(), Map.of("file_format", "parquet"));
      write(
          server.endpoint(),
          Map.of("file_format", "ndjson", "compression", "gzip", "prefix", "local_pg_ndjson"));
      write(server.endpoint(), Map.of("file_format", "json", "prefix", "local_pg_json"));
      for (S3Object object : client.listObjectsV2(request -> request.bucket("lake")).contents()) {
        Path file = folder.resolve(object.key());
        Files.createDirectories(file.getParent());
        client.getObject(request -> request.bucket("lake").key(object.key()), file);
        if (file.endsWith("_SUCCESS.json")) {
          Files.writeString(file, local(Files.readString(file)));
        }
      }
    }
  }

  @AfterEach
  void closeDuckDb() throws SQLException {
    duckdb.close();
  }

  @Test
  void everyStatementReadsWhatWasWritten() throws Exception {
    List<String> results = new ArrayList<>();
    for (String block : blocks()) {
      for (String statement : statements(block)) {
        results.addAll(resultsOf(statement));
      }
    }

    assertThat(results).hasSize(5).containsOnly(COMMITTED.toString());
  }

  @Test
  void objectsWithoutManifestAreReadByTheFolderAndNotByTheManifests() throws Exception {
    Path object = only(folder.resolve("local_pg/accounts/dt=2026-09-10"));
    Files.copy(object, object.resolveSibling("failed.parquet"));
    List<String> byFolder = new ArrayList<>();
    List<String> byManifest = new ArrayList<>();
    for (String block : blocks()) {
      for (String statement : statements(block)) {
        List<String> results =
            block.contains("_runs/")
                ? byManifest
                : block.contains("parquet") ? byFolder : new ArrayList<>();
        results.addAll(resultsOf(statement));
      }
    }
    byManifest.addAll(resultsOf("SELECT * FROM accounts"));

    assertThat(byFolder).hasSize(1).noneMatch(COMMITTED.toString()::equals);
    assertThat(byManifest).hasSize(3).containsOnly(COMMITTED.toString());
  }

  private static void write(S3Endpoint endpoint, Map<String, Object> settings) throws IOException {
    Map<String, Object> config = new HashMap<>(settings);
    config.put("bucket", "lake");
    config.put("endpoint", endpoint.uri().toString());
    config.put("auth_method", "iam_credentials");
    config.put("access_key_id", endpoint.accessKey());
    config.put("secret_access_key", endpoint.secretKey());
    ReadmeExample.run(config, Instant.parse("2026-09-10T02:00:00Z"));
  }

  private List<String> blocks() throws IOException {
    String page = Files.readString(Path.of("docs/reading-the-data.md"));
    return BLOCK.matcher(page).results().map(match -> local(match.group(1))).toList();
  }

  private static List<String> statements(String block) {
    return Stream.of(block.split(";\n", -1)).filter(statement -> !statement.isBlank()).toList();
  }

  private String local(String text) {
    return text.replace("s3://lake", folder.toString());
  }

  /** Returns the rows that a statement gives, or nothing if it gives none. */
  private List<String> resultsOf(String sql) throws SQLException {
    try (Statement statement = duckdb.createStatement()) {
      if (!statement.execute(sql)) {
        return List.of();
      }
      List<List<String>> rows = new ArrayList<>();
      try (ResultSet result = statement.getResultSet()) {
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            row.add(String.valueOf(result.getObject(i)));
          }
          rows.add(row);
        }
      }
      return List.of(rows.toString());
    }
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().get(0);
    }
  }
}

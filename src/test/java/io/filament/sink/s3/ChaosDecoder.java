package io.filament.sink.s3;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Reads objects back with readers that are not the sink's: Jackson and DuckDB. */
final class ChaosDecoder implements AutoCloseable {

  private final JsonFactory json =
      new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  private final Path file;
  private final Connection duck;

  ChaosDecoder(Path directory) throws SQLException {
    this.file = directory.resolve("object.parquet");
    this.duck = DriverManager.getConnection("jdbc:duckdb:");
  }

  /** Returns the records of an object in their order, or throws if it is broken. */
  List<ChaosRows.Row> rows(String format, String compression, byte[] object)
      throws IOException, SQLException {
    return switch (format) {
      case "parquet" -> parquet(object);
      case "json" -> json(plain(compression, object), true);
      default -> json(plain(compression, object), false);
    };
  }

  @Override
  public void close() throws SQLException {
    duck.close();
  }

  private List<ChaosRows.Row> parquet(byte[] object) throws IOException, SQLException {
    Files.write(file, object);
    List<ChaosRows.Row> rows = new ArrayList<>();
    try (Statement statement = duck.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT id, text FROM read_parquet('" + file + "')")) {
      while (result.next()) {
        rows.add(new ChaosRows.Row(result.getLong(1), result.getString(2)));
      }
    }
    return rows;
  }

  private List<ChaosRows.Row> json(byte[] text, boolean array) throws IOException {
    List<ChaosRows.Row> rows = new ArrayList<>();
    try (JsonParser parser = json.createParser(text)) {
      if (array) {
        require(parser.nextToken() == JsonToken.START_ARRAY, "no array");
      }
      JsonToken token = parser.nextToken();
      for (; token == JsonToken.START_OBJECT; token = parser.nextToken()) {
        require("id".equals(parser.nextFieldName()), "no id first");
        long id = parser.nextLongValue(-1);
        require("text".equals(parser.nextFieldName()), "no text second");
        rows.add(new ChaosRows.Row(id, parser.nextTextValue()));
        require(parser.nextToken() == JsonToken.END_OBJECT, "more than two fields");
      }
      require(token == (array ? JsonToken.END_ARRAY : null), "no end");
      require(!array || parser.nextToken() == null, "more than an array");
    }
    return rows;
  }

  private static byte[] plain(String compression, byte[] object) throws IOException {
    try (InputStream in = new ByteArrayInputStream(object);
        InputStream plain =
            switch (compression) {
              case "gzip" -> new GZIPInputStream(in);
              case "zstd" -> new ZstdInputStream(in);
              default -> in;
            }) {
      return plain.readAllBytes();
    }
  }

  private static void require(boolean met, String problem) throws IOException {
    if (!met) {
      throw new IOException("broken JSON: " + problem);
    }
  }
}

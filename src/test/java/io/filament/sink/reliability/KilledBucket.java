package io.filament.sink.reliability;

import io.filament.sink.s3.testing.S3Endpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bucket that a killed writer leaves, looked at with the SDK, Jackson and DuckDB. */
final class KilledBucket implements AutoCloseable {

  private static final String MANIFEST = "_runs/" + SampleRun.ID + "/_SUCCESS.json";

  private final S3Client reader;
  private final String name;
  private final Path directory;
  private final Connection duck;

  private KilledBucket(S3Client reader, Path directory) throws SQLException {
    this.reader = reader;
    this.name = S3Endpoint.createBucket(reader);
    this.directory = directory;
    this.duck = DriverManager.getConnection("jdbc:duckdb:");
  }

  static KilledBucket on(S3Endpoint endpoint, Path directory) throws SQLException {
    return new KilledBucket(endpoint.client(), directory);
  }

  String name() {
    return name;
  }

  boolean hasManifest() {
    return keys().contains(MANIFEST);
  }

  int uploads() {
    return openUploads().size();
  }

  /** Returns what the manifest says and the bucket does not hold, or the other way round. */
  List<String> lies(SampleRun sample) throws IOException, SQLException {
    JsonNode manifest = new JsonMapper().readTree(bytes(MANIFEST));
    List<String> lies = new ArrayList<>();
    expect(lies, "run", SampleRun.ID, manifest.path("run").asString());
    TreeSet<String> resources = new TreeSet<>();
    for (JsonNode entry : manifest.path("resources")) {
      resources.add(entry.path("name").asString());
      compare(lies, sample, entry);
    }
    TreeSet<String> written = new TreeSet<>();
    for (int i = 0; i < sample.rows().size(); i++) {
      written.add(SampleRun.resource(i));
    }
    expect(lies, "resources", written, resources);
    expect(lies, "objects", written.size() + 1, keys().size());
    return lies;
  }

  private void compare(List<String> lies, SampleRun sample, JsonNode entry)
      throws IOException, SQLException {
    String key = entry.path("key").asString();
    byte[] bytes;
    try {
      bytes = bytes(key);
    } catch (NoSuchKeyException e) {
      lies.add(key + " is in the manifest and not in the bucket");
      return;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    long rows = sample.rowsOf(entry.path("name").asString());
    expect(lies, key + " bytes", (long) bytes.length, entry.path("bytes").asLong());
    expect(lies, key + " crc32c", HexFormat.of().formatHex(value), entry.path("crc32c").asString());
    expect(lies, key + " rows", rows, entry.path("rows").asLong());
    expect(lies, key + " rows, sum of ids", ids(rows), ids(sample.format(), bytes));
  }

  private static void expect(List<String> lies, String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      lies.add(what + ": expected " + expected + ", but is " + actual);
    }
  }

  /** Returns the number of the ids from 0 on, and their sum. */
  private static List<Long> ids(long rows) {
    return List.of(rows, rows * (rows - 1) / 2);
  }

  /** Returns the number of the ids in an object, and their sum, as DuckDB reads them. */
  private List<Long> ids(String format, byte[] bytes) throws IOException, SQLException {
    Path file = directory.resolve("object");
    Files.write(file, bytes);
    String table =
        format.equals("parquet")
            ? "read_parquet('" + file + "')"
            : "read_json('" + file + "', format='nd', columns={id: 'BIGINT', text: 'VARCHAR'})";
    try (Statement statement = duck.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT count(*), coalesce(sum(id), 0)::BIGINT FROM " + table)) {
      result.next();
      return List.of(result.getLong(1), result.getLong(2));
    }
  }

  private byte[] bytes(String key) {
    return reader.getObjectAsBytes(request -> request.bucket(name).key(key)).asByteArray();
  }

  private List<String> keys() {
    return reader.listObjectsV2(request -> request.bucket(name)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  private List<MultipartUpload> openUploads() {
    return reader.listMultipartUploads(request -> request.bucket(name)).uploads();
  }

  /** Deletes all objects and gives up all uploads. */
  void clear() {
    for (MultipartUpload upload : openUploads()) {
      reader.abortMultipartUpload(
          request -> request.bucket(name).key(upload.key()).uploadId(upload.uploadId()));
    }
    keys().forEach(key -> reader.deleteObject(request -> request.bucket(name).key(key)));
  }

  @Override
  public void close() throws SQLException {
    reader.close();
    duck.close();
  }
}

package io.filament.sink.s3;

import io.filament.sink.Compression;
import io.filament.sink.ConfigField;
import io.filament.sink.ConfigField.Condition;
import io.filament.sink.ConfigField.Scope;
import io.filament.sink.ConfigField.Variant;
import io.filament.sink.FileFormat;
import io.filament.sink.SinkSpec;
import io.filament.sink.WriteMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The one table of the sink's settings: names, defaults and limits stand here, in {@link
 * AccessSettings} and in {@link ObjectSettings}, and nowhere else. The order of {@link #SPEC} is
 * that of the documentation and of the problems in an exception.
 */
final class Settings {

  static final ConfigField BUCKET =
      ConfigField.builder("bucket", ConfigField.Type.STRING, Scope.CONNECTION)
          .required()
          .help("The bucket's name, or the ARN of an access point.")
          .build();

  static final ConfigField REGION =
      ConfigField.builder("region", ConfigField.Type.STRING, Scope.CONNECTION)
          .help(
              "The bucket's region. If it is not set, the AWS SDK looks for it: environment, profile,"
                  + " instance metadata. With an endpoint and none found: us-east-1.")
          .build();

  static final ConfigField ENDPOINT =
      ConfigField.builder("endpoint", ConfigField.Type.STRING, Scope.CONNECTION)
          .help("The http or https URL of an S3-compatible store. If it is not set: AWS.")
          .build();

  static final ConfigField PATH_STYLE =
      ConfigField.builder("path_style", ConfigField.Type.BOOLEAN, Scope.CONNECTION)
          .defaultValue(false)
          .variant(new Variant(Condition.isSet(ENDPOINT.name()), List.of(), true))
          .help(
              "Whether the bucket is the first segment of the path instead of a part of the host's"
                  + " name. The default is true with an endpoint, else false. Access points are"
                  + " never addressed by path.")
          .build();

  static final ConfigField CHECKSUM_MODE =
      ConfigField.builder("checksum_mode", ConfigField.Type.ENUM, Scope.CONNECTION)
          .allowedValues(labels(ChecksumMode.values(), ChecksumMode::label))
          .defaultValue(ChecksumMode.AUTO.label())
          .help(
              "Which checksums the store checks and keeps: full_object is a CRC-32C of each part and"
                  + " of the whole object, composite one of each part and one of these, none the"
                  + " parts' MD5 and no other checksum. auto finds out which of them the store has.")
          .build();

  static final ConfigField CONDITIONAL_WRITES =
      ConfigField.builder("conditional_writes", ConfigField.Type.ENUM, Scope.CONNECTION)
          .allowedValues(labels(ConditionalWrites.values(), ConditionalWrites::label))
          .defaultValue(ConditionalWrites.AUTO.label())
          .help(
              "Whether a run finds out before it writes that puts honour If-None-Match, which keeps"
                  + " two writers of one run apart. probe finds it out with an object of one byte,"
                  + " which takes the right to delete it again, and tells it in the manifest;"
                  + " require refuses a store that doesn't honour it, or doesn't let it be found"
                  + " out.")
          .build();

  static final ConfigField PREFIX =
      ConfigField.builder("prefix", ConfigField.Type.STRING, Scope.PIPELINE)
          .help(
              "What stands before the resource folders in every key, as raw/crm. If it is not set:"
                  + " the name of the source in lower case, with _ for what is no letter or digit."
                  + " An empty one puts the folders at the top of the bucket.")
          .build();

  static final ConfigField PARTITION =
      ConfigField.builder("partition", ConfigField.Type.STRING, Scope.PIPELINE)
          .defaultValue("dt={{.Date}}")
          .help(
              "The path between resource folder and file, filled from the run's start in UTC, with"
                  + " the placeholders {{.Date}}, {{.StartedAt}}, {{.StartedAt.Format \"2006-01\"}}"
                  + " (a Go time layout), {{.Resource}}, {{.Run}} and {{ \"text\" }}. May be empty.")
          .build();

  static final ConfigField FILE_FORMAT =
      ConfigField.builder("file_format", ConfigField.Type.ENUM, Scope.PIPELINE)
          .allowedValues(labels(FileFormat.values(), FileFormat::label))
          .defaultValue(FileFormat.NDJSON.label())
          .help("How records are laid out. jsonl is ndjson under another extension.")
          .build();

  static final ConfigField COMPRESSION =
      ConfigField.builder("compression", ConfigField.Type.ENUM, Scope.PIPELINE)
          .allowedValues(labels(Compression.values(), Compression::label))
          .variant(
              new Variant(
                  Condition.hasValue(
                      FILE_FORMAT.name(),
                      FileFormat.NDJSON.label(),
                      FileFormat.JSONL.label(),
                      FileFormat.JSON.label()),
                  List.of(
                      Compression.NONE.label(), Compression.GZIP.label(), Compression.ZSTD.label()),
                  Compression.NONE.label()))
          .variant(
              new Variant(
                  Condition.hasValue(FILE_FORMAT.name(), FileFormat.PARQUET.label()),
                  List.of(
                      Compression.SNAPPY.label(),
                      Compression.ZSTD.label(),
                      Compression.GZIP.label(),
                      Compression.NONE.label()),
                  Compression.SNAPPY.label()))
          .help(
              "How bytes are compressed. JSON formats take none (the default), gzip and zstd;"
                  + " Parquet takes snappy (the default), zstd, gzip and none.")
          .build();

  static final ConfigField PART_SIZE_MIB =
      ConfigField.builder("part_size_mib", ConfigField.Type.INT, Scope.PIPELINE)
          .defaultValue(16)
          .range(5, 5120)
          .help(
              "The size of the parts of an upload, in MiB. An object has at most 10,000 parts; larger"
                  + " parts make larger objects possible and take more memory.")
          .build();

  static final ConfigField UPLOAD_CONCURRENCY =
      ConfigField.builder("upload_concurrency", ConfigField.Type.INT, Scope.PIPELINE)
          .defaultValue(4)
          .range(1, 32)
          .help("How many requests are in flight at most, over all resources.")
          .build();

  static final ConfigField RETRY_TIMEOUT_S =
      ConfigField.builder("retry_timeout_s", ConfigField.Type.INT, Scope.PIPELINE)
          .defaultValue(300)
          .range(0, 86_400)
          .help(
              "For how many seconds a request is made again while the store fails, asks to slow down"
                  + " or does not answer, counted from its first failure. 0: each request is made"
                  + " once.")
          .build();

  static final ConfigField ENCODE_THREADS =
      ConfigField.builder("encode_threads", ConfigField.Type.INT, Scope.PIPELINE)
          .range(1, 32)
          .help(
              "How many threads encode and compress, over all resources. If it is not set: as many as"
                  + " there are processors, at most 4. 1 leaves it to the threads that write. The bytes"
                  + " are the same whatever it is.")
          .build();

  static final ConfigField MEMORY_LIMIT_MIB =
      ConfigField.builder("memory_limit_mib", ConfigField.Type.INT, Scope.PIPELINE)
          .range(1, 1_048_576)
          .help(
              "How much memory a run takes at most for what it buffers, in MiB, over all resources."
                  + " If it is not set: a quarter of the JVM's heap, at least 64. At the limit the"
                  + " sink sends and writes out early what it can, and then lets write wait.")
          .build();

  static final SinkSpec SPEC =
      new SinkSpec(
          "s3",
          "Amazon S3",
          version(),
          SinkSpec.Maturity.BETA,
          List.of(
              BUCKET,
              REGION,
              ENDPOINT,
              PATH_STYLE,
              AccessSettings.USE_FIPS,
              AccessSettings.USE_DUALSTACK,
              AccessSettings.USE_ACCELERATE,
              AccessSettings.HTTP_CLIENT,
              AccessSettings.PROXY,
              AccessSettings.PROXY_USERNAME,
              AccessSettings.PROXY_PASSWORD,
              AccessSettings.AUTH_METHOD,
              AccessSettings.ACCESS_KEY_ID,
              AccessSettings.SECRET_ACCESS_KEY,
              AccessSettings.SESSION_TOKEN,
              AccessSettings.ROLE_ARN,
              AccessSettings.EXTERNAL_ID,
              AccessSettings.ROLE_SESSION_NAME,
              AccessSettings.WEB_IDENTITY_TOKEN_FILE,
              AccessSettings.STS_ENDPOINT,
              AccessSettings.STS_REGION,
              CHECKSUM_MODE,
              CONDITIONAL_WRITES,
              ObjectSettings.EXPECTED_BUCKET_OWNER,
              ObjectSettings.REQUEST_PAYER,
              ObjectSettings.SERVER_SIDE_ENCRYPTION,
              ObjectSettings.KMS_KEY_ID,
              ObjectSettings.SSE_CUSTOMER_KEY,
              PREFIX,
              PARTITION,
              FILE_FORMAT,
              COMPRESSION,
              ObjectSettings.CONTENT_ENCODING,
              ObjectSettings.STORAGE_CLASS,
              ObjectSettings.ACL,
              ObjectSettings.OBJECT_TAGS,
              ObjectSettings.METADATA,
              PART_SIZE_MIB,
              UPLOAD_CONCURRENCY,
              RETRY_TIMEOUT_S,
              ENCODE_THREADS,
              MEMORY_LIMIT_MIB),
          EnumSet.allOf(WriteMode.class),
          SinkSpec.Durability.AFTER_COMMIT,
          SinkSpec.Atomicity.RESOURCE);

  static final List<ConfigField> SECRETS =
      SPEC.fields().stream().filter(field -> field.type() == ConfigField.Type.SECRET).toList();

  private Settings() {}

  static <E> List<String> labels(E[] values, Function<E, String> label) {
    return Stream.of(values).map(label).toList();
  }

  /** The build writes its version into this resource. */
  private static String version() {
    try (InputStream in = Settings.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing beside " + Settings.class);
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

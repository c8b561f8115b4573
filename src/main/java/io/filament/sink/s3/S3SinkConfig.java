package io.filament.sink.s3;

import io.filament.sink.Compression;
import io.filament.sink.ConfigField;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidConfigException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.s3.internal.store.ClientSettings;
import io.filament.sink.s3.internal.store.KeyLayout;
import io.filament.sink.s3.internal.store.PartitionTemplate;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The configuration of an S3 sink. Every instance is valid, as far as that shows without I/O.
 * Immutable; the secrets in it show nowhere.
 */
public final class S3SinkConfig {

  private static final String MASK = "***";
  private static final long BYTES_PER_MIB = 1024 * 1024;

  private final Map<String, Object> values;

  private S3SinkConfig(Map<String, Object> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /**
   * Reads a configuration. A null value is the same as none. Does no I/O.
   *
   * @param config values by the names of {@link S3SinkProvider#spec()}: String, Boolean and any
   *     whole number
   * @throws InvalidConfigException with all problems, in the order of the settings
   */
  public static S3SinkConfig fromMap(Map<String, ?> config) {
    Objects.requireNonNull(config, "config");
    SettingsReader settings = SettingsReader.read(Settings.SPEC.fields(), config);
    settings.check(Settings.BUCKET, BucketName::check);
    settings.check(
        Settings.REGION,
        settings.has(Settings.ENDPOINT)
            ? StoreAddress::checkOtherRegion
            : StoreAddress::checkAwsRegion);
    settings.check(Settings.ENDPOINT, StoreAddress::endpoint);
    for (ConfigField secret : Settings.SECRETS) {
      settings.check(secret, S3SinkConfig::checkSecret);
    }
    settings.refine(Settings.PREFIX, KeyLayout::prefix);
    settings.refine(Settings.PARTITION, template -> PartitionTemplate.parse(template).text());
    return new S3SinkConfig(settings.values());
  }

  /** Returns an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the bucket's name or access-point ARN. */
  public String bucket() {
    return text(Settings.BUCKET);
  }

  /** Returns the bucket's region; if empty, the AWS SDK looks for it. */
  public Optional<String> region() {
    return optionalText(Settings.REGION);
  }

  /** Returns where an S3-compatible store listens; if empty, the store is AWS. */
  public Optional<URI> endpoint() {
    return optionalText(Settings.ENDPOINT).map(URI::create);
  }

  /** Returns whether the bucket is the first segment of the path. */
  public boolean pathStyle() {
    return (boolean) value(Settings.PATH_STYLE);
  }

  /** Returns where credentials come from. */
  public AuthMethod authMethod() {
    return labelled(AuthMethod.values(), AuthMethod::label, Settings.AUTH_METHOD);
  }

  /** Returns which checksums the store is asked to check and to keep. */
  public ChecksumMode checksumMode() {
    return labelled(ChecksumMode.values(), ChecksumMode::label, Settings.CHECKSUM_MODE);
  }

  /** Returns what stands before the resource folders; if empty, the run's source name decides. */
  public Optional<String> prefix() {
    return optionalText(Settings.PREFIX);
  }

  /** Returns the partition's template, without slashes at its ends. */
  public String partition() {
    return text(Settings.PARTITION);
  }

  /** Returns how records are laid out. */
  public FileFormat fileFormat() {
    return labelled(FileFormat.values(), FileFormat::label, Settings.FILE_FORMAT);
  }

  /** Returns how bytes are compressed. */
  public Compression compression() {
    return labelled(Compression.values(), Compression::label, Settings.COMPRESSION);
  }

  /** Returns the size of a part, in MiB. */
  public int partSizeMib() {
    return (int) value(Settings.PART_SIZE_MIB);
  }

  /** Returns how many requests are in flight at most. */
  public int uploadConcurrency() {
    return (int) value(Settings.UPLOAD_CONCURRENCY);
  }

  /** Returns for how long a request is made again, counted from its first failure. */
  public Duration retryTimeout() {
    return Duration.ofSeconds((int) value(Settings.RETRY_TIMEOUT_S));
  }

  /** Returns the settings that are set or have a default, in their order, with secrets masked. */
  public Map<String, Object> toMap() {
    Map<String, Object> masked = new LinkedHashMap<>(values);
    for (ConfigField secret : Settings.SECRETS) {
      masked.replace(secret.name(), MASK);
    }
    return Collections.unmodifiableMap(masked);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof S3SinkConfig config && values.equals(config.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** Returns {@link #toMap()} as text. */
  @Override
  public String toString() {
    return "S3SinkConfig" + toMap();
  }

  ClientSettings clientSettings() {
    return new ClientSettings(
        region(), endpoint(), pathStyle(), credentials(), uploadConcurrency());
  }

  KeyLayout keyLayout() {
    return KeyLayout.of(bucket(), prefix(), PartitionTemplate.parse(partition()));
  }

  ObjectFormat objectFormat() {
    return new ObjectFormat(fileFormat(), compression());
  }

  long partSizeBytes() {
    return partSizeMib() * BYTES_PER_MIB;
  }

  private Optional<ClientSettings.Credentials> credentials() {
    return optionalText(Settings.ACCESS_KEY_ID)
        .map(
            accessKeyId ->
                new ClientSettings.Credentials(
                    accessKeyId,
                    text(Settings.SECRET_ACCESS_KEY),
                    optionalText(Settings.SESSION_TOKEN)));
  }

  /** A file's last line feed is what is most often copied along with a key. */
  private static void checkSecret(String secret) {
    if (secret.isBlank()) {
      throw new IllegalArgumentException("must not be blank");
    }
    if (!secret.equals(secret.strip())) {
      throw new IllegalArgumentException("must not begin or end with white space");
    }
    if (secret.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("must not hold control characters");
    }
  }

  private Object value(ConfigField field) {
    return Objects.requireNonNull(values.get(field.name()), field.name());
  }

  private String text(ConfigField field) {
    return (String) value(field);
  }

  private Optional<String> optionalText(ConfigField field) {
    return Optional.ofNullable((String) values.get(field.name()));
  }

  private <E> E labelled(E[] constants, Function<E, String> label, ConfigField field) {
    return Stream.of(constants)
        .filter(constant -> label.apply(constant).equals(value(field)))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Collects a configuration, whose rules are those of {@link #fromMap}: what is wrong shows in
   * {@link #build}. Not for several threads.
   */
  public static final class Builder {

    private final Map<String, Object> values = new LinkedHashMap<>();

    private Builder() {}

    /** Sets the bucket's name or access-point ARN. */
    public Builder bucket(String value) {
      return set(Settings.BUCKET, value);
    }

    /** Sets the bucket's region. */
    public Builder region(String value) {
      return set(Settings.REGION, value);
    }

    /** Sets the URL of an S3-compatible store. */
    public Builder endpoint(String value) {
      return set(Settings.ENDPOINT, value);
    }

    /** Sets the URL of an S3-compatible store. */
    public Builder endpoint(URI value) {
      return set(Settings.ENDPOINT, value.toString());
    }

    /** Sets whether the bucket is the first segment of the path. */
    public Builder pathStyle(boolean value) {
      return set(Settings.PATH_STYLE, value);
    }

    /** Sets where credentials come from. */
    public Builder authMethod(String value) {
      return set(Settings.AUTH_METHOD, value);
    }

    /** Sets where credentials come from. */
    public Builder authMethod(AuthMethod value) {
      return set(Settings.AUTH_METHOD, value.label());
    }

    /** Sets the id of the access key. */
    public Builder accessKeyId(String value) {
      return set(Settings.ACCESS_KEY_ID, value);
    }

    /** Sets the secret of the access key. */
    public Builder secretAccessKey(String value) {
      return set(Settings.SECRET_ACCESS_KEY, value);
    }

    /** Sets the session token of a temporary access key. */
    public Builder sessionToken(String value) {
      return set(Settings.SESSION_TOKEN, value);
    }

    /** Sets which checksums the store is asked to check and to keep. */
    public Builder checksumMode(String value) {
      return set(Settings.CHECKSUM_MODE, value);
    }

    /** Sets which checksums the store is asked to check and to keep. */
    public Builder checksumMode(ChecksumMode value) {
      return set(Settings.CHECKSUM_MODE, value.label());
    }

    /** Sets what stands before the resource folders. */
    public Builder prefix(String value) {
      return set(Settings.PREFIX, value);
    }

    /** Sets the partition's template. */
    public Builder partition(String value) {
      return set(Settings.PARTITION, value);
    }

    /** Sets how records are laid out. */
    public Builder fileFormat(String value) {
      return set(Settings.FILE_FORMAT, value);
    }

    /** Sets how records are laid out. */
    public Builder fileFormat(FileFormat value) {
      return set(Settings.FILE_FORMAT, value.label());
    }

    /** Sets how bytes are compressed. */
    public Builder compression(String value) {
      return set(Settings.COMPRESSION, value);
    }

    /** Sets how bytes are compressed. */
    public Builder compression(Compression value) {
      return set(Settings.COMPRESSION, value.label());
    }

    /** Sets the size of a part, in MiB. */
    public Builder partSizeMib(int value) {
      return set(Settings.PART_SIZE_MIB, value);
    }

    /** Sets how many requests are in flight at most. */
    public Builder uploadConcurrency(int value) {
      return set(Settings.UPLOAD_CONCURRENCY, value);
    }

    /** Sets for how many seconds a request is made again, counted from its first failure. */
    public Builder retryTimeoutS(int value) {
      return set(Settings.RETRY_TIMEOUT_S, value);
    }

    /**
     * Returns the configuration.
     *
     * @throws InvalidConfigException with all problems, in the order of the settings
     */
    public S3SinkConfig build() {
      return fromMap(values);
    }

    private Builder set(ConfigField field, Object value) {
      values.put(field.name(), Objects.requireNonNull(value, field.name()));
      return this;
    }
  }
}

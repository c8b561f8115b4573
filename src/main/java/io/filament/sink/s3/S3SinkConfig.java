package io.filament.sink.s3;

import io.filament.sink.Compression;
import io.filament.sink.ConfigField;
import io.filament.sink.FileFormat;
import io.filament.sink.InvalidConfigException;
import io.filament.sink.ObjectFormat;
import io.filament.sink.s3.internal.store.ClientSettings;
import io.filament.sink.s3.internal.store.CustomerKey;
import io.filament.sink.s3.internal.store.Encryption;
import io.filament.sink.s3.internal.store.KeyLayout;
import io.filament.sink.s3.internal.store.ObjectOptions;
import io.filament.sink.s3.internal.store.PartitionTemplate;
import io.filament.sink.s3.internal.store.Role;
import io.filament.sink.s3.internal.store.Route;
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

  /** The divisor of the heap. */
  private static final int DEFAULT_HEAP_SHARE = 4;

  private static final int MIN_DEFAULT_MEMORY_LIMIT_MIB = 64;
  private static final int MAX_MEMORY_LIMIT_MIB = 1_048_576;

  /** More than this many cores a host must give on purpose: it has work of its own. */
  private static final int MAX_DEFAULT_THREADS = 4;

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
    SettingsRules.apply(settings);
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

  /** Returns whether requests go to AWS's FIPS endpoints. */
  public boolean useFips() {
    return (boolean) value(AccessSettings.USE_FIPS);
  }

  /** Returns whether requests go to AWS's endpoints with IPv6. */
  public boolean useDualstack() {
    return (boolean) value(AccessSettings.USE_DUALSTACK);
  }

  /** Returns whether requests go by S3 Transfer Acceleration. */
  public boolean useAccelerate() {
    return (boolean) value(AccessSettings.USE_ACCELERATE);
  }

  /** Returns the proxy, with its port; if empty, the JVM's or the environment's. */
  public Optional<URI> proxy() {
    return optionalText(AccessSettings.PROXY).map(StoreAddress::proxy);
  }

  /** Returns the user's name for the proxy. */
  public Optional<String> proxyUsername() {
    return optionalText(AccessSettings.PROXY_USERNAME);
  }

  /** Returns where credentials come from. */
  public AuthMethod authMethod() {
    return labelled(AuthMethod.values(), AuthMethod::label, AccessSettings.AUTH_METHOD);
  }

  /** Returns the role's ARN. */
  public Optional<String> roleArn() {
    return optionalText(AccessSettings.ROLE_ARN);
  }

  /** Returns the external id that the role's trust policy asks for. */
  public Optional<String> externalId() {
    return optionalText(AccessSettings.EXTERNAL_ID);
  }

  /** Returns the name of the role's session. */
  public Optional<String> roleSessionName() {
    return optionalText(AccessSettings.ROLE_SESSION_NAME);
  }

  /** Returns the file with the web identity's token. */
  public Optional<String> webIdentityTokenFile() {
    return optionalText(AccessSettings.WEB_IDENTITY_TOKEN_FILE);
  }

  /** Returns where STS listens; if empty, AWS's. */
  public Optional<URI> stsEndpoint() {
    return optionalText(AccessSettings.STS_ENDPOINT).map(URI::create);
  }

  /** Returns the region of STS; if empty, the bucket's. */
  public Optional<String> stsRegion() {
    return optionalText(AccessSettings.STS_REGION);
  }

  /** Returns what makes HTTP requests. */
  public HttpClientKind httpClient() {
    return labelled(HttpClientKind.values(), HttpClientKind::label, AccessSettings.HTTP_CLIENT);
  }

  /** Returns what is asked of the store's conditional writes; see {@link ConditionalWrites}. */
  public ConditionalWrites conditionalWrites() {
    return labelled(
        ConditionalWrites.values(), ConditionalWrites::label, Settings.CONDITIONAL_WRITES);
  }

  /** Returns which checksums the store is asked to check and to keep. */
  public ChecksumMode checksumMode() {
    return labelled(ChecksumMode.values(), ChecksumMode::label, Settings.CHECKSUM_MODE);
  }

  /** Returns the account that must own the bucket. */
  public Optional<String> expectedBucketOwner() {
    return optionalText(ObjectSettings.EXPECTED_BUCKET_OWNER);
  }

  /** Returns {@code requester}, if who writes pays. */
  public Optional<String> requestPayer() {
    return word(ObjectSettings.REQUEST_PAYER);
  }

  /** Returns S3's word for how objects are encrypted; if empty, the bucket's default. */
  public Optional<String> serverSideEncryption() {
    return word(ObjectSettings.SERVER_SIDE_ENCRYPTION);
  }

  /** Returns the KMS key; if empty, the bucket's. */
  public Optional<String> kmsKeyId() {
    return optionalText(ObjectSettings.KMS_KEY_ID);
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

  /** Returns whether objects say in a header that they are compressed. */
  public ContentEncoding contentEncoding() {
    return labelled(
        ContentEncoding.values(), ContentEncoding::label, ObjectSettings.CONTENT_ENCODING);
  }

  /** Returns S3's word for where objects are kept; if empty, the store's default. */
  public Optional<String> storageClass() {
    return optionalText(ObjectSettings.STORAGE_CLASS);
  }

  /** Returns S3's word for who may use objects; if empty, the bucket's rules alone. */
  public Optional<String> acl() {
    return optionalText(ObjectSettings.ACL);
  }

  /** Returns the tags of all objects. */
  public Map<String, String> objectTags() {
    return optionalText(ObjectSettings.OBJECT_TAGS).map(NameValues::tags).orElse(Map.of());
  }

  /** Returns the user metadata of all objects, names in lower case. */
  public Map<String, String> metadata() {
    return optionalText(ObjectSettings.METADATA).map(NameValues::metadata).orElse(Map.of());
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

  /** Returns how many threads encode and compress. */
  public int encodeThreads() {
    Object set = values.get(Settings.ENCODE_THREADS.name());
    return set == null
        ? Math.min(MAX_DEFAULT_THREADS, Runtime.getRuntime().availableProcessors())
        : (int) set;
  }

  /** Returns how much memory a run takes at most for what it buffers, in MiB. */
  public int memoryLimitMib() {
    Object set = values.get(Settings.MEMORY_LIMIT_MIB.name());
    return set == null ? defaultMemoryLimitMib(Runtime.getRuntime().maxMemory()) : (int) set;
  }

  static int defaultMemoryLimitMib(long heapBytes) {
    long share = (heapBytes >> 20) / DEFAULT_HEAP_SHARE;
    return (int) Math.min(MAX_MEMORY_LIMIT_MIB, Math.max(MIN_DEFAULT_MEMORY_LIMIT_MIB, share));
  }

  long memoryLimitBytes() {
    return (long) memoryLimitMib() << 20;
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
    ClientSettings settings =
        new ClientSettings(region(), endpoint(), pathStyle(), credentials(), uploadConcurrency())
            .by(
                new Route(
                    useFips(),
                    useDualstack(),
                    useAccelerate(),
                    proxySetting(),
                    httpClient().isCrt(proxy().isPresent())));
    return role().map(settings::as).orElse(settings);
  }

  ObjectOptions objectOptions() {
    return new ObjectOptions(
        new Encryption(
            serverSideEncryption(),
            kmsKeyId(),
            optionalText(ObjectSettings.SSE_CUSTOMER_KEY).map(CustomerKey::of)),
        storageClass(),
        acl(),
        objectTags(),
        metadata(),
        expectedBucketOwner(),
        requestPayer());
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
    return optionalText(AccessSettings.ACCESS_KEY_ID)
        .map(
            accessKeyId ->
                new ClientSettings.Credentials(
                    accessKeyId,
                    text(AccessSettings.SECRET_ACCESS_KEY),
                    optionalText(AccessSettings.SESSION_TOKEN)));
  }

  private Optional<Route.Proxy> proxySetting() {
    return proxy()
        .map(
            address ->
                new Route.Proxy(
                    address, proxyUsername(), optionalText(AccessSettings.PROXY_PASSWORD)));
  }

  private Optional<Role> role() {
    Role.Sts sts = new Role.Sts(stsEndpoint(), stsRegion());
    return switch (authMethod()) {
      case INSTANCE_PROFILE, IAM_CREDENTIALS -> Optional.empty();
      case ASSUME_ROLE ->
          Optional.of(
              new Role.Assumed(
                  text(AccessSettings.ROLE_ARN),
                  externalId(),
                  text(AccessSettings.ROLE_SESSION_NAME),
                  sts));
      case WEB_IDENTITY ->
          Optional.of(
              new Role.WebIdentity(roleArn(), webIdentityTokenFile(), roleSessionName(), sts));
    };
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

  /** Returns the value of a setting where {@code none} means that nothing is asked for. */
  private Optional<String> word(ConfigField field) {
    return Optional.of(text(field)).filter(value -> !value.equals(ObjectSettings.NONE));
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

    /** Sets whether requests go to AWS's FIPS endpoints. */
    public Builder useFips(boolean value) {
      return set(AccessSettings.USE_FIPS, value);
    }

    /** Sets whether requests go to AWS's endpoints with IPv6. */
    public Builder useDualstack(boolean value) {
      return set(AccessSettings.USE_DUALSTACK, value);
    }

    /** Sets whether requests go by S3 Transfer Acceleration. */
    public Builder useAccelerate(boolean value) {
      return set(AccessSettings.USE_ACCELERATE, value);
    }

    /** Sets what makes HTTP requests. */
    public Builder httpClient(String value) {
      return set(AccessSettings.HTTP_CLIENT, value);
    }

    /** Sets what makes HTTP requests. */
    public Builder httpClient(HttpClientKind value) {
      return set(AccessSettings.HTTP_CLIENT, value.label());
    }

    /** Sets the URL of an HTTP proxy. */
    public Builder proxy(String value) {
      return set(AccessSettings.PROXY, value);
    }

    /** Sets the URL of an HTTP proxy. */
    public Builder proxy(URI value) {
      return set(AccessSettings.PROXY, value.toString());
    }

    /** Sets the user's name for the proxy. */
    public Builder proxyUsername(String value) {
      return set(AccessSettings.PROXY_USERNAME, value);
    }

    /** Sets the user's password for the proxy. */
    public Builder proxyPassword(String value) {
      return set(AccessSettings.PROXY_PASSWORD, value);
    }

    /** Sets where credentials come from. */
    public Builder authMethod(String value) {
      return set(AccessSettings.AUTH_METHOD, value);
    }

    /** Sets where credentials come from. */
    public Builder authMethod(AuthMethod value) {
      return set(AccessSettings.AUTH_METHOD, value.label());
    }

    /** Sets the id of the access key. */
    public Builder accessKeyId(String value) {
      return set(AccessSettings.ACCESS_KEY_ID, value);
    }

    /** Sets the secret of the access key. */
    public Builder secretAccessKey(String value) {
      return set(AccessSettings.SECRET_ACCESS_KEY, value);
    }

    /** Sets the session token of a temporary access key. */
    public Builder sessionToken(String value) {
      return set(AccessSettings.SESSION_TOKEN, value);
    }

    /** Sets the role's ARN. */
    public Builder roleArn(String value) {
      return set(AccessSettings.ROLE_ARN, value);
    }

    /** Sets the external id that the role's trust policy asks for. */
    public Builder externalId(String value) {
      return set(AccessSettings.EXTERNAL_ID, value);
    }

    /** Sets the name of the role's session. */
    public Builder roleSessionName(String value) {
      return set(AccessSettings.ROLE_SESSION_NAME, value);
    }

    /** Sets the file with the web identity's token. */
    public Builder webIdentityTokenFile(String value) {
      return set(AccessSettings.WEB_IDENTITY_TOKEN_FILE, value);
    }

    /** Sets where STS listens. */
    public Builder stsEndpoint(String value) {
      return set(AccessSettings.STS_ENDPOINT, value);
    }

    /** Sets the region of STS. */
    public Builder stsRegion(String value) {
      return set(AccessSettings.STS_REGION, value);
    }

    /** Sets which checksums the store is asked to check and to keep. */
    public Builder checksumMode(String value) {
      return set(Settings.CHECKSUM_MODE, value);
    }

    /** Sets which checksums the store is asked to check and to keep. */
    public Builder checksumMode(ChecksumMode value) {
      return set(Settings.CHECKSUM_MODE, value.label());
    }

    /** Sets what is asked of the store's conditional writes. */
    public Builder conditionalWrites(String value) {
      return set(Settings.CONDITIONAL_WRITES, value);
    }

    /** Sets what is asked of the store's conditional writes. */
    public Builder conditionalWrites(ConditionalWrites value) {
      return set(Settings.CONDITIONAL_WRITES, value.label());
    }

    /** Sets the account that must own the bucket. */
    public Builder expectedBucketOwner(String value) {
      return set(ObjectSettings.EXPECTED_BUCKET_OWNER, value);
    }

    /** Sets who pays: {@code none} or {@code requester}. */
    public Builder requestPayer(String value) {
      return set(ObjectSettings.REQUEST_PAYER, value);
    }

    /** Sets how objects are encrypted, in S3's words. */
    public Builder serverSideEncryption(String value) {
      return set(ObjectSettings.SERVER_SIDE_ENCRYPTION, value);
    }

    /** Sets the KMS key. */
    public Builder kmsKeyId(String value) {
      return set(ObjectSettings.KMS_KEY_ID, value);
    }

    /** Sets the key of SSE-C, in Base64. */
    public Builder sseCustomerKey(String value) {
      return set(ObjectSettings.SSE_CUSTOMER_KEY, value);
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

    /** Sets whether objects say in a header that they are compressed. */
    public Builder contentEncoding(String value) {
      return set(ObjectSettings.CONTENT_ENCODING, value);
    }

    /** Sets whether objects say in a header that they are compressed. */
    public Builder contentEncoding(ContentEncoding value) {
      return set(ObjectSettings.CONTENT_ENCODING, value.label());
    }

    /** Sets where objects are kept, in S3's words. */
    public Builder storageClass(String value) {
      return set(ObjectSettings.STORAGE_CLASS, value);
    }

    /** Sets who may use objects, in S3's words. */
    public Builder acl(String value) {
      return set(ObjectSettings.ACL, value);
    }

    /** Sets the tags of all objects, as {@code team=data,stage=raw}. */
    public Builder objectTags(String value) {
      return set(ObjectSettings.OBJECT_TAGS, value);
    }

    /** Sets the user metadata of all objects, as {@code source=crm,owner=data}. */
    public Builder metadata(String value) {
      return set(ObjectSettings.METADATA, value);
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

    /** Sets how many threads encode and compress. */
    public Builder encodeThreads(int value) {
      return set(Settings.ENCODE_THREADS, value);
    }

    /** Sets how much memory a run takes at most for what it buffers, in MiB. */
    public Builder memoryLimitMib(int value) {
      return set(Settings.MEMORY_LIMIT_MIB, value);
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

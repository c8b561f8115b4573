package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import io.filament.sink.s3.internal.store.ClientSettings.Credentials;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;

/** Makes clients whose requests every S3-compatible store takes. */
public final class S3Clients {

  /** For what doesn't count against the limit of requests in flight: clean-up and look-ups. */
  private static final int SPARE_CONNECTIONS = 4;

  private S3Clients() {}

  /**
   * Makes a client for one bucket; the caller closes it. Without a region in the settings this
   * reads the AWS profile, and for AWS itself asks the machine's metadata service.
   *
   * @throws SinkException if no region is known, or the HTTP client asked for is not there
   */
  public static S3Client create(String bucket, ClientSettings settings) throws SinkException {
    return create(bucket, settings, Patience.ofRun(), Regions.ofSdk());
  }

  static S3Client create(String bucket, ClientSettings settings, Patience patience, Regions regions)
      throws SinkException {
    if (settings.route().crt()) {
      CrtHttp.require();
    }
    Region region = regions.of(bucket, settings);
    Secrets secrets = Secrets.of(settings);
    S3ClientBuilder builder =
        S3Client.builder()
            .region(region)
            .fipsEnabled(settings.route().fips())
            .dualstackEnabled(settings.route().dualstack())
            .credentialsProvider(credentials(settings, region, patience, secrets))
            .putAuthScheme(RequestSigner.scheme())
            .httpClientBuilder(http(settings, patience, secrets))
            // Bodies go out plain: these three together leave out the framing and the trailer that
            // many compatible stores refuse, or store as data.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(service(bucket, settings))
            .overrideConfiguration(o -> o.retryStrategy(patience.retryStrategy()));
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  private static S3Configuration service(String bucket, ClientSettings settings) {
    boolean arn = bucket.startsWith("arn:");
    return S3Configuration.builder()
        .chunkedEncodingEnabled(false)
        // An ARN is no path segment: the SDK refuses the two together.
        .pathStyleAccessEnabled(settings.pathStyle() && !arn)
        .useArnRegionEnabled(true)
        .accelerateModeEnabled(settings.route().accelerate())
        // Some compatible stores never answer 100 Continue, which costs seconds a part; and the
        // Common Runtime is not known to wait for it.
        .expectContinueEnabled(settings.endpoint().isEmpty() && !settings.route().crt())
        .build();
  }

  /** Returns what makes the requests of a client with these settings. */
  public static SdkHttpClient.Builder<?> http(ClientSettings settings) {
    return http(settings, Patience.ofRun(), Secrets.of(settings));
  }

  private static SdkHttpClient.Builder<?> http(
      ClientSettings settings, Patience patience, Secrets secrets) {
    int connections = settings.uploadConcurrency() + SPARE_CONNECTIONS;
    SdkHttpClient.Builder<?> http =
        settings.route().crt()
            ? CrtHttp.builder(patience, connections)
            : new ApacheHttp.Builder(settings.route(), patience, connections);
    return new InterruptibleHttpClient.Builder(
        new MaskedAnswers.Builder(http, secrets), patience.lastMoment());
  }

  /** All of it is this client's own, since the client closes it. */
  private static AwsCredentialsProvider credentials(
      ClientSettings settings, Region region, Patience patience, Secrets secrets) {
    Supplier<KnownCredentials> own = () -> new KnownCredentials(own(settings), secrets);
    return settings
        .role()
        .map(role -> RoleCredentials.of(role, own, sts(role, settings, region, patience, secrets)))
        .map(role -> new KnownCredentials(role, secrets))
        .orElseGet(own);
  }

  private static AwsCredentialsProvider own(ClientSettings settings) {
    return settings
        .credentials()
        .<AwsCredentialsProvider>map(S3Clients::fixed)
        .orElseGet(() -> DefaultCredentialsProvider.builder().build());
  }

  private static StsClientBuilder sts(
      Role role, ClientSettings settings, Region region, Patience patience, Secrets secrets) {
    StsClientBuilder sts =
        StsClient.builder()
            .region(role.sts().region().map(Region::of).orElse(region))
            .putAuthScheme(RequestSigner.scheme())
            .httpClientBuilder(http(settings, patience, secrets))
            .overrideConfiguration(
                o ->
                    o.retryStrategy(patience.retryStrategy())
                        .addExecutionInterceptor(new RoleCredentials.TokenReader(secrets)));
    return role.sts()
        .endpoint()
        .map(sts::endpointOverride)
        .orElseGet(
            () ->
                sts.fipsEnabled(settings.route().fips())
                    .dualstackEnabled(settings.route().dualstack()));
  }

  private static StaticCredentialsProvider fixed(Credentials credentials) {
    return StaticCredentialsProvider.create(
        credentials.sessionToken().isPresent()
            ? AwsSessionCredentials.create(
                credentials.accessKeyId(),
                credentials.secretAccessKey(),
                credentials.sessionToken().get())
            : AwsBasicCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey()));
  }
}

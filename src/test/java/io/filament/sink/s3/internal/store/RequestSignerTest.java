package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/** Signatures are those of AWS's documentation, and those that the SDK makes. */
class RequestSignerTest {

  private static final HttpSigner<AwsCredentialsIdentity> SIGNER = RequestSigner.scheme().signer();
  private static final Clock DAY_OF_THE_EXAMPLES = at("2013-05-24T00:00:00Z");

  private static final AwsCredentialsIdentity KEYS_OF_THE_EXAMPLES =
      AwsBasicCredentials.create(
          "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");

  /** Characters that are encoded, or have a meaning, somewhere in a request. */
  private static final String ODD = "aZ09-_.~ +%/=&?#$!*'();:@,\"<>[]{}|\\^`\tä漢😀";

  /**
   * <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html">Amazon
   * S3 API, header-based authentication</a>, example "GET Object".
   */
  @Test
  void exampleOfAGetHasTheDocumentedSignature() {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(URI.create("https://examplebucket.s3.amazonaws.com/test.txt"))
            .putHeader("Range", "bytes=0-9")
            .build();

    SignedRequest signed =
        SIGNER.sign(
            ofS3(request, null, KEYS_OF_THE_EXAMPLES, DAY_OF_THE_EXAMPLES)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true)
                .build());

    assertThat(authorization(signed))
        .isEqualTo(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + " Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  /** The same page, example "PUT Object". */
  @Test
  void exampleOfAPutHasTheDocumentedSignature() {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.PUT)
            .uri(URI.create("https://examplebucket.s3.amazonaws.com/test%24file.text"))
            .putHeader("Date", "Fri, 24 May 2013 00:00:00 GMT")
            .putHeader("x-amz-storage-class", "REDUCED_REDUNDANCY")
            .build();

    SignedRequest signed =
        SIGNER.sign(
            ofS3(
                    request,
                    ContentStreamProvider.fromUtf8String("Welcome to Amazon S3."),
                    KEYS_OF_THE_EXAMPLES,
                    DAY_OF_THE_EXAMPLES)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true)
                .build());

    assertThat(authorization(signed))
        .endsWith("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  void anyRequestIsSignedAsTheSdkSignsIt() throws IOException {
    long seed = Long.getLong("seed", 4711);
    Random random = new Random(seed);
    AwsV4HttpSigner sdk = AwsV4HttpSigner.create();
    for (int round = 0; round < 2_000; round++) {
      SignRequest<AwsCredentialsIdentity> request = drawn(random);

      SignedRequest ours = SIGNER.sign(request);
      SignedRequest theirs = sdk.sign(request);

      assertThat(ours.request().headers())
          .as("seed %d, round %d: %s", seed, round, request.request().encodedPath())
          .isEqualTo(theirs.request().headers());
      assertThat(ours.request().getUri()).isEqualTo(theirs.request().getUri());
      assertThat(content(ours)).isEqualTo(content(theirs));
    }
  }

  @Test
  void whatIsNotPlainIsRefused() {
    SdkHttpRequest get = get("https://bucket.s3.amazonaws.com/key");
    List<SignRequest<AwsCredentialsIdentity>> refused =
        List.of(
            plain(get)
                .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .build(),
            plain(get).putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, Duration.ofDays(1)).build(),
            plain(get).putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, true).build(),
            plain(get)
                .putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC32C)
                .build());

    assertThat(refused)
        .allSatisfy(
            request ->
                assertThatThrownBy(() -> SIGNER.sign(request))
                    .isInstanceOf(UnsupportedOperationException.class));
  }

  @Test
  void checksumThatIsThereAlreadyIsSigned() {
    SdkHttpRequest put =
        get("https://bucket.s3.amazonaws.com/key").toBuilder()
            .putHeader("x-amz-checksum-crc32c", "AAAAAA==")
            .build();

    SignedRequest signed =
        SIGNER.sign(
            plain(put)
                .putProperty(AwsV4HttpSigner.CHECKSUM_ALGORITHM, DefaultChecksumAlgorithm.CRC32C)
                .build());

    assertThat(authorization(signed)).contains(";x-amz-checksum-crc32c;");
  }

  private static SignRequest<AwsCredentialsIdentity> drawn(Random random) {
    boolean isOfS3 = random.nextInt(4) > 0;
    String address =
        one(random, List.of("http", "https"))
            + "://host.example"
            + one(random, List.of("", ":80", ":443", ":9000"));
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(one(random, List.of(SdkHttpMethod.values())))
            .uri(URI.create(address));
    // Dots in a path are resolved, by the SDK and here, only for services that have no keys.
    request.encodedPath(isOfS3 ? "/bucket/" + encoded(odd(random)) : "/sts");
    for (int i = random.nextInt(4); i > 0; i--) {
      request.appendRawQueryParameter(odd(random), random.nextInt(4) == 0 ? null : odd(random));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      request.appendHeader("X-Amz-Meta-" + random.nextInt(3), odd(random));
    }
    request.putHeader("User-Agent", "any").putHeader("Expect", "100-continue");
    String secret = odd(random);
    AwsCredentialsIdentity keys =
        random.nextBoolean()
            ? AwsBasicCredentials.create("id", "s" + secret)
            : AwsSessionCredentials.create("id", "s" + secret, " token of" + odd(random));
    SignRequest.Builder<AwsCredentialsIdentity> signed =
        ofS3(
            request.build(),
            random.nextBoolean() ? null : ContentStreamProvider.fromUtf8String(odd(random)),
            keys,
            at("2026-12-31T23:59:59Z"));
    if (!isOfS3) {
      signed
          .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "sts")
          .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, true)
          .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, true)
          .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, true);
    }
    return signed.build();
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static String odd(Random random) {
    int[] points = ODD.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  private static String encoded(String key) {
    return SdkHttpUtils.urlEncodeIgnoreSlashes(key);
  }

  /** As the SDK's client for S3 asks for it. */
  private static SignRequest.Builder<AwsCredentialsIdentity> ofS3(
      SdkHttpRequest request,
      @Nullable ContentStreamProvider body,
      AwsCredentialsIdentity keys,
      Clock clock) {
    return SignRequest.builder(keys)
        .request(request)
        .payload(body)
        .putProperty(HttpSigner.SIGNING_CLOCK, clock)
        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
        .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
        .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, false)
        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false);
  }

  private static SignRequest.Builder<AwsCredentialsIdentity> plain(SdkHttpRequest request) {
    return ofS3(request, null, KEYS_OF_THE_EXAMPLES, DAY_OF_THE_EXAMPLES);
  }

  private static SdkHttpRequest get(String address) {
    return SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(URI.create(address)).build();
  }

  private static String authorization(SignedRequest signed) {
    return signed.request().firstMatchingHeader("Authorization").orElseThrow();
  }

  private static String content(SignedRequest signed) throws IOException {
    return signed.payload().isPresent()
        ? new String(signed.payload().get().newStream().readAllBytes(), UTF_8)
        : "";
  }

  private static Clock at(String time) {
    return Clock.fixed(Instant.parse(time), ZoneOffset.UTC);
  }
}

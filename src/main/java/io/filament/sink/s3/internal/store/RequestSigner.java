package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.scheme.AuthScheme;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signs requests as AWS asks for it (<a
 * href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html">IAM
 * User Guide, Signature Version 4</a>), and logs nothing. The SDK's own signer prints at DEBUG what
 * it signs, session tokens and keys of customers among it.
 *
 * <p>It signs only what a sink's client sends: plain bodies, with the signature in a header. Any
 * thread may call.
 */
final class RequestSigner implements AwsV4HttpSigner {

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String UNSIGNED_BODY = "UNSIGNED-PAYLOAD";
  private static final String CHECKSUM = "x-amz-checksum-";
  private static final String END_OF_SCOPE = "aws4_request";
  private static final DateTimeFormatter DAY = utc("uuuuMMdd");
  private static final DateTimeFormatter TIME = utc("uuuuMMdd'T'HHmmss'Z'");

  private RequestSigner() {}

  /** Returns what a client of the SDK signs with instead of the SDK's own. */
  static AuthScheme<AwsCredentialsIdentity> scheme() {
    return new Scheme(new RequestSigner());
  }

  private static DateTimeFormatter utc(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
  }

  @Override
  public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
    requirePlain(request);
    AwsCredentialsIdentity keys = request.identity();
    @Nullable ContentStreamProvider body = request.payload().orElse(null);
    Scope scope = Scope.of(request);
    SdkHttpRequest.Builder signed = request.request().toBuilder();
    String bodyHash = isBodySigned(request) ? hex(sha256(body)) : UNSIGNED_BODY;
    signed.putHeader("Host", CanonicalRequest.host(request.request()));
    signed.putHeader("X-Amz-Date", scope.time());
    signed.putHeader("x-amz-content-sha256", bodyHash);
    if (keys instanceof AwsSessionCredentialsIdentity session) {
      signed.putHeader("X-Amz-Security-Token", session.sessionToken().trim());
    }
    CanonicalRequest canonical =
        CanonicalRequest.of(
            signed.build(),
            request.requireProperty(NORMALIZE_PATH, true),
            request.requireProperty(DOUBLE_URL_ENCODE, true),
            bodyHash);
    String text =
        String.join(
            "\n",
            ALGORITHM,
            scope.time(),
            scope.toString(),
            hex(digest().digest(canonical.text().getBytes(UTF_8))));
    String signature = hex(hmac(scope.key(keys.secretAccessKey().trim()), text));
    signed.putHeader(
        "Authorization",
        "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(
                ALGORITHM, keys.accessKeyId().trim(), scope, canonical.signedHeaders(), signature));
    return SignedRequest.builder().request(signed.build()).payload(body).build();
  }

  /** The sink's clients have no asynchronous requests. */
  @Override
  public CompletableFuture<AsyncSignedRequest> signAsync(
      AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
    throw new UnsupportedOperationException("asynchronous requests");
  }

  /** What the SDK would do beside signing, and no client of the sink asks for. */
  private static void requirePlain(SignRequest<?> request) {
    AuthLocation location = request.requireProperty(AUTH_LOCATION, AuthLocation.HEADER);
    if (location != AuthLocation.HEADER
        || request.hasProperty(EXPIRATION_DURATION)
        || request.requireProperty(CHUNK_ENCODING_ENABLED, false)
        || (request.hasProperty(CHECKSUM_ALGORITHM) && !hasChecksum(request.request()))) {
      throw new UnsupportedOperationException(
          "a request that is signed for later or in chunks, or whose checksum is not known");
    }
  }

  private static boolean hasChecksum(SdkHttpRequest request) {
    return request.anyMatchingHeader(name -> name.toLowerCase(Locale.ROOT).startsWith(CHECKSUM));
  }

  /** S3 takes bodies unsigned over TLS, which protects them. */
  private static boolean isBodySigned(SignRequest<?> request) {
    return request.requireProperty(PAYLOAD_SIGNING_ENABLED, true)
        || (!request.request().protocol().equals("https") && request.payload().isPresent());
  }

  private static byte[] sha256(@Nullable ContentStreamProvider body) {
    MessageDigest digest = digest();
    if (body != null) {
      BodyContent.Opened opened = BodyContent.open(body);
      InputStream own = opened.inner();
      try (InputStream in = opened.outer()) {
        (own == null ? in : own)
            .transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
      } catch (IOException e) {
        throw new UncheckedIOException("the body can't be read for its signature", e);
      }
    }
    return digest.digest();
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256, which every Java has", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HmacSHA256, which every Java has", e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** What a signature holds for. */
  private record Scope(String time, String day, String region, String service) {

    static Scope of(SignRequest<?> request) {
      Instant now = request.requireProperty(SIGNING_CLOCK, Clock.systemUTC()).instant();
      return new Scope(
          TIME.format(now),
          DAY.format(now),
          request.requireProperty(REGION_NAME),
          request.requireProperty(SERVICE_SIGNING_NAME));
    }

    byte[] key(String secret) {
      byte[] key = hmac(("AWS4" + secret).getBytes(UTF_8), day);
      return hmac(hmac(hmac(key, region), service), END_OF_SCOPE);
    }

    @Override
    public String toString() {
      return String.join("/", day, region, service, END_OF_SCOPE);
    }
  }

  /** Stands in for the SDK's scheme of the same name. */
  private record Scheme(RequestSigner signer) implements AwsV4AuthScheme {

    @Override
    public String schemeId() {
      return SCHEME_ID;
    }

    @Override
    public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
      return providers.identityProvider(AwsCredentialsIdentity.class);
    }
  }
}

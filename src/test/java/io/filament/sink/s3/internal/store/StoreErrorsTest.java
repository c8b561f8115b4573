package io.filament.sink.s3.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.filament.sink.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the SDK throws, in plain words. */
class StoreErrorsTest {

  private final StoreErrors errors =
      new StoreErrors("bucket", "http://store:9000", Secrets.none(), ObjectOptions.NONE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PutObject               | s3:PutObject on this key
          PutObject               | kms:GenerateDataKey
          CreateMultipartUpload   | s3:PutObject on this key
          UploadPart              | s3:PutObject on this key
          CompleteMultipartUpload | kms:Decrypt
          AbortMultipartUpload    | s3:AbortMultipartUpload on this key
          DeleteObject            | s3:DeleteObjectVersion on this key
          ListMultipartUploads    | s3:ListBucketMultipartUploads on the bucket
          HeadObject              | s3:GetObject on this key
          HeadBucket              | s3:ListBucket on the bucket
          """)
  void deniedAccessNamesTheRightThatIsNeeded(String operation, String right) {
    assertThat(errors.of(operation, "key", refusal(403, "AccessDenied")))
        .hasMessageStartingWith(operation + " s3://bucket/key: access denied")
        .hasMessageContaining(right);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          404 | NoSuchBucket          | there is no such bucket at http://store:9000
          404 | NoSuchUpload          | does not know this upload
          403 | InvalidAccessKeyId    | does not know the access key id
          403 | SignatureDoesNotMatch | the secret access key does not belong to the access key id
          400 | ExpiredToken          | the credentials have expired
          400 | InvalidToken          | the session token is not valid
          403 | RequestTimeTooSkewed  | clock
          503 | SlowDown              | slow down
          503 | ServiceUnavailable    | slow down
          412 | PreconditionFailed    | there is an object at the key already
          409 | OperationAborted      | another operation on the key was under way
          501 | NotImplemented        | the store cannot do this
          400 | BadDigest             | the bytes changed on the way
          400 | EntityTooSmall        | 5 MiB
          400 | InvalidPart           | other parts
          400 | KMS.DisabledException | the KMS key of the bucket cannot be used
          500 | InternalError         | the store failed
          400 | SomethingElse         | the store refused this
          """)
  void errorCodeIsExplained(int status, String code, String words) {
    StoreException mapped = (StoreException) errors.of("PutObject", "key", refusal(status, code));

    assertThat(mapped).hasMessageContaining(words).hasMessageContaining("(status " + status);
    assertThat(mapped.statusCode()).isEqualTo(status);
    assertThat(mapped.errorCode()).isEqualTo(code);
    assertThat(mapped.requestId()).isEqualTo("REQ1");
    assertThat(mapped.operation()).isEqualTo("PutObject");
    assertThat(mapped.bucket()).isEqualTo("bucket");
    assertThat(mapped.key()).isEqualTo("key");
    assertThat(mapped).hasCauseInstanceOf(S3Exception.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          301 | the bucket is elsewhere
          403 | the answer does not say which
          404 | there is no such bucket, object or upload
          409 | another operation was under way
          412 | there is an object at the key already
          429 | slow down
          503 | slow down
          501 | the store cannot do this
          502 | the store failed
          400 | the store refused this
          """)
  void statusIsExplainedWhereThereIsNoCode(int status, String words) {
    StoreException mapped =
        (StoreException)
            errors.of(
                "PutObject", "key", (S3Exception) S3Exception.builder().statusCode(status).build());

    assertThat(mapped).hasMessageContaining(words).hasMessageEndingWith("(status " + status + ")");
    assertThat(mapped.errorCode()).isNull();
    assertThat(mapped.requestId()).isNull();
  }

  @Test
  void wrongRegionNamesTheRightOne() {
    assertThat(errors.of("PutObject", "key", refusal(301, "PermanentRedirect")))
        .hasMessageContaining("wrong region: the bucket is in ap-south-1; set region to it");
  }

  @Test
  void storesOwnWordsStayOnOneShortLine() {
    StoreException mapped =
        (StoreException)
            errors.of(
                "PutObject", "key", refusal(400, "Odd", "first\nsecond\u001b" + "x".repeat(9_999)));

    assertThat(mapped).hasMessageContaining("the store says: first second x");
    assertThat(mapped.getMessage()).hasSizeLessThan(600).doesNotContain("\n", "\u001b");
  }

  @Test
  void interruptIsNoFailureOfTheStore() {
    IOException mapped =
        errors.of("UploadPart", "key", AbortedException.create("Thread was interrupted"));
    boolean flag = Thread.interrupted();

    assertThat(mapped)
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("UploadPart s3://bucket/key: interrupted")
        .hasCauseInstanceOf(AbortedException.class);
    assertThat(flag).isTrue();
  }

  @Test
  void timeThatRunsOutIsNoInterrupt() {
    IOException mapped =
        errors.of("UploadPart", "key", ApiCallAttemptTimeoutException.create(60_000));
    boolean flag = Thread.interrupted();

    assertThat(mapped)
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("UploadPart s3://bucket/key: no answer in time");
    assertThat(flag).isFalse();
  }

  @Test
  void missingCredentialsSayWhereTheyWereLookedFor() {
    AwsCredentialsProviderChain chain =
        AwsCredentialsProviderChain.builder()
            .addCredentialsProvider(
                () -> {
                  throw SdkClientException.create("none here");
                })
            .build();
    RuntimeException none = (RuntimeException) catchThrowable(chain::resolveCredentials);

    assertThat(errors.of("HeadBucket", null, none))
        .hasMessage(
            "HeadBucket s3://bucket: no credentials were found in the environment, the AWS profile,"
                + " a web identity, or the machine's or container's role (no answer)");
  }

  private static S3Exception refusal(int status, String code) {
    return refusal(status, code, "words");
  }

  private static S3Exception refusal(int status, String code, String words) {
    return (S3Exception)
        S3Exception.builder()
            .statusCode(status)
            .requestId("REQ1")
            .awsErrorDetails(
                AwsErrorDetails.builder()
                    .errorCode(code)
                    .errorMessage(words)
                    .sdkHttpResponse(
                        SdkHttpResponse.builder()
                            .statusCode(status)
                            .putHeader("x-amz-bucket-region", "ap-south-1")
                            .build())
                    .build())
            .build();
  }
}

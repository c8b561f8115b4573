package io.filament.sink.s3.internal.store;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;
import software.amazon.awssdk.services.sts.auth.StsCredentialsProvider;
import software.amazon.awssdk.services.sts.auth.StsWebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.services.sts.model.AssumeRoleWithWebIdentityRequest;
import software.amazon.awssdk.utils.SdkAutoCloseable;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * A role's credentials, which STS renews before they expire. What STS refuses is told from what S3
 * refuses. Any thread may call. Closes all that it is made of.
 */
final class RoleCredentials implements AwsCredentialsProvider, SdkAutoCloseable {

  /** How all messages begin. */
  static final String FAILED = "no credentials from STS";

  private final StsCredentialsProvider provider;
  private final StsClient sts;

  private RoleCredentials(StsCredentialsProvider provider, StsClient sts) {
    this.provider = provider;
    this.sts = sts;
  }

  /**
   * Makes the credentials of a role. Does no I/O.
   *
   * @param base makes the credentials that assume the role; a web identity needs none
   */
  static RoleCredentials of(Role role, Supplier<KnownCredentials> base, StsClientBuilder builder) {
    if (role instanceof Role.WebIdentity identity) {
      StsClient sts = builder.credentialsProvider(AnonymousCredentialsProvider.create()).build();
      return new RoleCredentials(webIdentity(identity, sts), sts);
    }
    StsClient sts = builder.credentialsProvider(base.get()).build();
    return new RoleCredentials(assumed((Role.Assumed) role, sts), sts);
  }

  private static StsCredentialsProvider assumed(Role.Assumed role, StsClient sts) {
    return StsAssumeRoleCredentialsProvider.builder()
        .stsClient(sts)
        .refreshRequest(
            request ->
                request
                    .roleArn(role.arn())
                    .externalId(role.externalId().orElse(null))
                    .roleSessionName(role.sessionName()))
        .build();
  }

  private static StsCredentialsProvider webIdentity(Role.WebIdentity role, StsClient sts) {
    StsWebIdentityTokenFileCredentialsProvider.Builder builder =
        StsWebIdentityTokenFileCredentialsProvider.builder().stsClient(sts);
    role.arn().ifPresent(builder::roleArn);
    role.tokenFile().map(Path::of).ifPresent(builder::webIdentityTokenFile);
    role.sessionName().ifPresent(builder::roleSessionName);
    return builder.build();
  }

  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return provider.resolveCredentials();
    } catch (AwsServiceException e) {
      throw failed(refusal(e), e);
    } catch (NullPointerException e) { // of the SDK, which expects credentials in each success
      throw failed("the answer holds none", e);
    } catch (SdkException | IllegalStateException | UncheckedIOException e) {
      throw failed(PlainWords.silence(e), e);
    }
  }

  private static String refusal(AwsServiceException refusal) {
    AwsErrorDetails details = refusal.awsErrorDetails();
    return details == null || details.errorCode() == null
        ? "status " + refusal.statusCode()
        : details.errorCode() + ": " + details.errorMessage();
  }

  private static SdkClientException failed(String why, RuntimeException cause) {
    return SdkClientException.create(FAILED + ": " + why, cause);
  }

  @Override
  public void close() {
    provider.close();
    sts.close();
  }

  @Override
  public String toString() {
    return "RoleCredentials[***]";
  }

  /** Learns a token when it is sent, since STS may repeat it. */
  record TokenReader(Secrets secrets) implements ExecutionInterceptor {

    @Override
    public void beforeExecution(
        Context.BeforeExecution context, ExecutionAttributes executionAttributes) {
      if (context.request() instanceof AssumeRoleWithWebIdentityRequest request) {
        String token = request.webIdentityToken().strip();
        secrets.learn(List.of(token, SdkHttpUtils.urlEncode(token))); // as a form has it
      }
    }
  }
}

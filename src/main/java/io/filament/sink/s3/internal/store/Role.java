package io.filament.sink.s3.internal.store;

import java.net.URI;
import java.util.Objects;
import java.util.Optional;

/** A role whose credentials STS gives, for an hour or so at a time. */
public sealed interface Role {

  /** Returns where STS is. */
  Sts sts();

  /**
   * Where STS is.
   *
   * @param endpoint if empty, AWS
   * @param region if empty, that of the bucket
   */
  record Sts(Optional<URI> endpoint, Optional<String> region) {

    public Sts {
      Objects.requireNonNull(endpoint, "endpoint");
      Objects.requireNonNull(region, "region");
    }
  }

  /**
   * A role that other credentials assume.
   *
   * @param arn the role's ARN
   * @param externalId what the role's trust policy asks for
   * @param sessionName the session's name in AWS's logs
   * @param sts where STS is
   */
  record Assumed(String arn, Optional<String> externalId, String sessionName, Sts sts)
      implements Role {

    public Assumed {
      Objects.requireNonNull(arn, "arn");
      Objects.requireNonNull(externalId, "externalId");
      Objects.requireNonNull(sessionName, "sessionName");
      Objects.requireNonNull(sts, "sts");
    }
  }

  /**
   * A role for the token in a file. What is empty the SDK looks for in the environment.
   *
   * @param arn the role's ARN
   * @param tokenFile the file
   * @param sessionName the session's name in AWS's logs
   * @param sts where STS is
   */
  record WebIdentity(
      Optional<String> arn, Optional<String> tokenFile, Optional<String> sessionName, Sts sts)
      implements Role {

    public WebIdentity {
      Objects.requireNonNull(arn, "arn");
      Objects.requireNonNull(tokenFile, "tokenFile");
      Objects.requireNonNull(sessionName, "sessionName");
      Objects.requireNonNull(sts, "sts");
    }
  }
}

package io.filament.sink.s3;

/** How requests get their credentials. */
public enum AuthMethod {
  /**
   * The default chain of the AWS SDK: system properties, environment, web identity, profile,
   * container and instance roles.
   */
  INSTANCE_PROFILE("instance_profile"),
  /** The keys in the configuration. */
  IAM_CREDENTIALS("iam_credentials"),
  /** A role, which the keys in the configuration assume, or else the default chain. */
  ASSUME_ROLE("assume_role"),
  /** A role for the token in a file, as Kubernetes gives it. */
  WEB_IDENTITY("web_identity");

  private final String label;

  AuthMethod(String label) {
    this.label = label;
  }

  /** Returns the name in a configuration. */
  public String label() {
    return label;
  }
}

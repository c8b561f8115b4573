package io.filament.sink.s3;

import io.filament.sink.ConfigField;
import io.filament.sink.ConfigField.Condition;
import io.filament.sink.ConfigField.Scope;
import io.filament.sink.ConfigField.Variant;
import java.util.List;

/**
 * The settings of the way to the store: endpoints, proxy, credentials. Part of {@link Settings}.
 */
final class AccessSettings {

  static final ConfigField USE_FIPS =
      ConfigField.builder("use_fips", ConfigField.Type.BOOLEAN, Scope.CONNECTION)
          .defaultValue(false)
          .refusedWhen(Condition.isSet(Settings.ENDPOINT.name()))
          .help("Whether requests go to AWS's endpoints with FIPS 140 validated cryptography.")
          .build();

  static final ConfigField USE_DUALSTACK =
      ConfigField.builder("use_dualstack", ConfigField.Type.BOOLEAN, Scope.CONNECTION)
          .defaultValue(false)
          .refusedWhen(Condition.isSet(Settings.ENDPOINT.name()))
          .help("Whether requests go to AWS's endpoints that are reached by IPv6, too.")
          .build();

  static final ConfigField USE_ACCELERATE =
      ConfigField.builder("use_accelerate", ConfigField.Type.BOOLEAN, Scope.CONNECTION)
          .defaultValue(false)
          .refusedWhen(Condition.isSet(Settings.ENDPOINT.name()))
          .refusedWhen(Condition.hasValue(Settings.PATH_STYLE.name(), "true"))
          .refusedWhen(Condition.hasValue(USE_FIPS.name(), "true"))
          .help(
              "Whether requests go to the endpoint of S3 Transfer Acceleration, which the bucket must have"
                  + " switched on.")
          .build();

  static final ConfigField HTTP_CLIENT =
      ConfigField.builder("http_client", ConfigField.Type.ENUM, Scope.CONNECTION)
          .allowedValues(Settings.labels(HttpClientKind.values(), HttpClientKind::label))
          .defaultValue(HttpClientKind.AUTO.label())
          .help(
              "What makes HTTP requests: apache5 comes with the sink; crt is the AWS Common Runtime, for"
                  + " which the host adds software.amazon.awssdk:aws-crt-client; auto is crt if that is on"
                  + " the class path and no proxy is set, else apache5.")
          .build();

  static final ConfigField PROXY =
      ConfigField.builder("proxy", ConfigField.Type.STRING, Scope.CONNECTION)
          .refusedWhen(Condition.hasValue(HTTP_CLIENT.name(), HttpClientKind.CRT.label()))
          .help(
              "The http or https URL of an HTTP proxy, as http://proxy.example.com:3128. If it is not"
                  + " set, the JVM's and the environment's proxy is used, if there is one.")
          .build();

  static final ConfigField PROXY_USERNAME =
      ConfigField.builder("proxy_username", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(Condition.isSet(PROXY.name()))
          .help("The user's name, for a proxy that asks for it.")
          .build();

  static final ConfigField PROXY_PASSWORD =
      ConfigField.builder("proxy_password", ConfigField.Type.SECRET, Scope.CONNECTION)
          .visibleWhen(Condition.isSet(PROXY_USERNAME.name()))
          .help("The user's password, for a proxy that asks for it.")
          .build();

  static final ConfigField AUTH_METHOD =
      ConfigField.builder("auth_method", ConfigField.Type.ENUM, Scope.CONNECTION)
          .allowedValues(Settings.labels(AuthMethod.values(), AuthMethod::label))
          .defaultValue(AuthMethod.INSTANCE_PROFILE.label())
          .help(
              "Where credentials come from: instance_profile is the AWS SDK's default chain"
                  + " (environment, profile, web identity, container and instance roles),"
                  + " iam_credentials the keys in this configuration, assume_role a role that the keys in this"
                  + " configuration, or else the default chain, assume, web_identity a role for the token in a"
                  + " file.")
          .build();

  private static final Condition WITH_KEYS =
      Condition.hasValue(AUTH_METHOD.name(), AuthMethod.IAM_CREDENTIALS.label());

  private static final Condition KEYS_ALLOWED =
      Condition.hasValue(
          AUTH_METHOD.name(), AuthMethod.IAM_CREDENTIALS.label(), AuthMethod.ASSUME_ROLE.label());

  private static final Condition ASSUMED_ROLE =
      Condition.hasValue(AUTH_METHOD.name(), AuthMethod.ASSUME_ROLE.label());

  private static final Condition WEB_IDENTITY =
      Condition.hasValue(AUTH_METHOD.name(), AuthMethod.WEB_IDENTITY.label());

  private static final Condition ANY_ROLE =
      Condition.hasValue(
          AUTH_METHOD.name(), AuthMethod.ASSUME_ROLE.label(), AuthMethod.WEB_IDENTITY.label());

  static final ConfigField ACCESS_KEY_ID =
      ConfigField.builder("access_key_id", ConfigField.Type.SECRET, Scope.CONNECTION)
          .visibleWhen(KEYS_ALLOWED)
          .requiredWhen(WITH_KEYS)
          .requiredWhen(Condition.isSet("secret_access_key"))
          .requiredWhen(Condition.isSet("session_token"))
          .help("The id of the access key.")
          .build();

  static final ConfigField SECRET_ACCESS_KEY =
      ConfigField.builder("secret_access_key", ConfigField.Type.SECRET, Scope.CONNECTION)
          .visibleWhen(KEYS_ALLOWED)
          .requiredWhen(WITH_KEYS)
          .requiredWhen(Condition.isSet(ACCESS_KEY_ID.name()))
          .help("The secret of the access key.")
          .build();

  static final ConfigField SESSION_TOKEN =
      ConfigField.builder("session_token", ConfigField.Type.SECRET, Scope.CONNECTION)
          .visibleWhen(KEYS_ALLOWED)
          .help("The session token of a temporary access key.")
          .build();

  static final ConfigField ROLE_ARN =
      ConfigField.builder("role_arn", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(ANY_ROLE)
          .requiredWhen(ASSUMED_ROLE)
          .help("The ARN of the role. With web_identity and none set: AWS_ROLE_ARN.")
          .build();

  static final ConfigField EXTERNAL_ID =
      ConfigField.builder("external_id", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(ASSUMED_ROLE)
          .help(
              "The external id that the role's trust policy asks for. AWS does not take it for a secret.")
          .build();

  static final ConfigField ROLE_SESSION_NAME =
      ConfigField.builder("role_session_name", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(ANY_ROLE)
          .variant(new Variant(ASSUMED_ROLE, List.of(), "filament-s3-sink"))
          .help(
              "The name of the role's session, which shows in AWS's logs. With web_identity and none set:"
                  + " AWS_ROLE_SESSION_NAME, or one that the AWS SDK makes.")
          .build();

  static final ConfigField WEB_IDENTITY_TOKEN_FILE =
      ConfigField.builder("web_identity_token_file", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(WEB_IDENTITY)
          .help(
              "The file with the token of the web identity, read at each renewal. If it is not set:"
                  + " AWS_WEB_IDENTITY_TOKEN_FILE.")
          .build();

  static final ConfigField STS_ENDPOINT =
      ConfigField.builder("sts_endpoint", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(ANY_ROLE)
          .help(
              "The http or https URL of the service that gives the role's credentials. If it is not set:"
                  + " AWS STS in sts_region.")
          .build();

  static final ConfigField STS_REGION =
      ConfigField.builder("sts_region", ConfigField.Type.STRING, Scope.CONNECTION)
          .visibleWhen(ANY_ROLE)
          .help("The region of AWS STS. If it is not set, that of the bucket.")
          .build();

  private AccessSettings() {}
}

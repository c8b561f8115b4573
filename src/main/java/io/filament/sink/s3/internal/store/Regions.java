package io.filament.sink.s3.internal.store;

import io.filament.sink.SinkException;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/**
 * Finds the region that requests are signed for.
 *
 * @param local looks at the process and its files alone
 * @param everywhere asks the machine's metadata service, too
 */
record Regions(AwsRegionProvider local, AwsRegionProvider everywhere) {

  private static final int ARN_PARTS = 6;
  private static final int ARN_REGION = 3;

  /** The places where the SDK looks. */
  static Regions ofSdk() {
    return new Regions(
        new AwsRegionProviderChain(
            new SystemSettingsRegionProvider(), new AwsProfileRegionProvider()),
        new DefaultAwsRegionProviderChain());
  }

  /**
   * Returns the region of the settings, of the bucket's ARN, or one that is found. With an endpoint
   * the metadata service is not asked, since it would only be waited for, and what nobody tells is
   * us-east-1, which compatible stores take.
   */
  Region of(String bucket, ClientSettings settings) throws SinkException {
    Optional<String> told = settings.region().or(() -> arnRegion(bucket));
    if (told.isPresent()) {
      return Region.of(told.get());
    }
    if (settings.endpoint().isPresent()) {
      return find(local).orElse(Region.US_EAST_1);
    }
    return find(everywhere)
        .orElseThrow(
            () ->
                new SinkException(
                    "no region is known for bucket "
                        + bucket
                        + ": set region, or AWS_REGION, or a region in the AWS profile"));
  }

  private static Optional<String> arnRegion(String bucket) {
    String[] parts = bucket.split(":", ARN_PARTS);
    boolean arn = parts.length == ARN_PARTS && parts[0].equals("arn");
    return arn && !parts[ARN_REGION].isEmpty() ? Optional.of(parts[ARN_REGION]) : Optional.empty();
  }

  private static Optional<Region> find(AwsRegionProvider provider) {
    try {
      return Optional.ofNullable(provider.getRegion());
    } catch (SdkClientException e) {
      return Optional.empty(); // The chain's way to say that it found none.
    }
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;

/**
 * Looks whether a bucket expires unfinished uploads, which a process that dies leaves behind.
 *
 * @param folder what the keys of runs begin with
 */
record LifecycleLook(S3Client client, SdkObjectStore store, ObjectOptions options, String folder) {

  /** Returns in plain words what there is; that it may not be looked at is no failure. */
  String words() {
    List<LifecycleRule> rules;
    try {
      rules =
          store
              .ask(
                  "GetBucketLifecycleConfiguration",
                  null,
                  () ->
                      client.getBucketLifecycleConfiguration(
                          r -> r.bucket(store.bucket()).applyMutation(options::addTo)))
              .rules();
    } catch (StoreException e) {
      if (!"NoSuchLifecycleConfiguration".equals(e.errorCode())) {
        return couldNotLook(e);
      }
      rules = List.of();
    } catch (IOException e) {
      return couldNotLook(e);
    }
    OptionalInt days =
        rules.stream()
            .filter(this::isForRuns)
            .mapToInt(rule -> rule.abortIncompleteMultipartUpload().daysAfterInitiation())
            .min();
    return days.isPresent()
        ? "A lifecycle rule expires unfinished uploads after "
            + days.getAsInt()
            + " days; a run must not take longer."
        : "Warning: no lifecycle rule of the bucket expires unfinished uploads below s3://%s/%s, so a process that dies leaves parts that cost money."
            .formatted(store.bucket(), folder);
  }

  private static String couldNotLook(IOException failure) {
    return "Whether a lifecycle rule expires unfinished uploads can't be looked at; only this test"
        + " needs it: "
        + failure.getMessage();
  }

  private boolean isForRuns(LifecycleRule rule) {
    return rule.status() == ExpirationStatus.ENABLED
        && rule.abortIncompleteMultipartUpload() != null
        && rule.abortIncompleteMultipartUpload().daysAfterInitiation() != null
        && !isConditional(rule.filter())
        && folder.startsWith(prefix(rule));
  }

  /** A rule with conditions on tags or sizes, which uploads don't have, is for none of them. */
  private static boolean isConditional(@Nullable LifecycleRuleFilter filter) {
    return filter != null
        && (filter.and() != null
            || filter.tag() != null
            || filter.objectSizeGreaterThan() != null
            || filter.objectSizeLessThan() != null);
  }

  @SuppressWarnings("deprecation") // S3 gives rules back in the form in which they were put
  private static String prefix(LifecycleRule rule) {
    LifecycleRuleFilter filter = rule.filter();
    String prefix = filter == null ? rule.prefix() : filter.prefix();
    return prefix == null ? "" : prefix;
  }
}

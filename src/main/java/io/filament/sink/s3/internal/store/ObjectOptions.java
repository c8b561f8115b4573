package io.filament.sink.s3.internal.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.GetBucketLifecycleConfigurationRequest;
import software.amazon.awssdk.services.s3.model.HeadBucketRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListPartsRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * What all objects of a sink, and all requests for them, have in common; knows which request takes
 * which of it.
 *
 * @param encryption how they are encrypted
 * @param storageClass where they are kept; if empty, the store's default
 * @param acl S3's word for who may use them; if empty, the bucket's rules alone apply
 * @param tags their tags
 * @param metadata user metadata beside that of {@link ObjectHeaders}, by the same rules
 * @param bucketOwner the account that must own the bucket
 * @param payer who pays for the requests; if empty, the bucket's owner
 */
public record ObjectOptions(
    Encryption encryption,
    Optional<String> storageClass,
    Optional<String> acl,
    Map<String, String> tags,
    Map<String, String> metadata,
    Optional<String> bucketOwner,
    Optional<String> payer) {

  /** Nothing beside what each request has of its own. */
  public static final ObjectOptions NONE =
      new ObjectOptions(
          Encryption.DEFAULT,
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          Map.of(),
          Optional.empty(),
          Optional.empty());

  public ObjectOptions {
    Objects.requireNonNull(encryption, "encryption");
    Objects.requireNonNull(storageClass, "storageClass");
    Objects.requireNonNull(acl, "acl");
    tags = Map.copyOf(tags);
    metadata = Map.copyOf(metadata);
    Objects.requireNonNull(bucketOwner, "bucketOwner");
    Objects.requireNonNull(payer, "payer");
  }

  void addTo(PutObjectRequest.Builder put, ObjectHeaders headers) {
    tagging().ifPresent(put::tagging);
    put.metadata(allMetadata(headers))
        .acl(acl.orElse(null))
        .storageClass(storageClass.orElse(null))
        .serverSideEncryption(encryption.algorithm().orElse(null))
        .ssekmsKeyId(encryption.kmsKeyId().orElse(null))
        .sseCustomerAlgorithm(customerAlgorithm())
        .sseCustomerKey(customerKey())
        .sseCustomerKeyMD5(customerKeyMd5())
        .expectedBucketOwner(bucketOwner.orElse(null))
        .requestPayer(payer.orElse(null));
  }

  void addTo(CreateMultipartUploadRequest.Builder start, ObjectHeaders headers) {
    tagging().ifPresent(start::tagging);
    start
        .metadata(allMetadata(headers))
        .acl(acl.orElse(null))
        .storageClass(storageClass.orElse(null))
        .serverSideEncryption(encryption.algorithm().orElse(null))
        .ssekmsKeyId(encryption.kmsKeyId().orElse(null))
        .sseCustomerAlgorithm(customerAlgorithm())
        .sseCustomerKey(customerKey())
        .sseCustomerKeyMD5(customerKeyMd5())
        .expectedBucketOwner(bucketOwner.orElse(null))
        .requestPayer(payer.orElse(null));
  }

  void addTo(UploadPartRequest.Builder part) {
    part.sseCustomerAlgorithm(customerAlgorithm())
        .sseCustomerKey(customerKey())
        .sseCustomerKeyMD5(customerKeyMd5())
        .expectedBucketOwner(bucketOwner.orElse(null))
        .requestPayer(payer.orElse(null));
  }

  void addTo(CompleteMultipartUploadRequest.Builder complete) {
    complete
        .sseCustomerAlgorithm(customerAlgorithm())
        .sseCustomerKey(customerKey())
        .sseCustomerKeyMD5(customerKeyMd5())
        .expectedBucketOwner(bucketOwner.orElse(null))
        .requestPayer(payer.orElse(null));
  }

  void addTo(HeadObjectRequest.Builder head) {
    head.sseCustomerAlgorithm(customerAlgorithm())
        .sseCustomerKey(customerKey())
        .sseCustomerKeyMD5(customerKeyMd5())
        .expectedBucketOwner(bucketOwner.orElse(null))
        .requestPayer(payer.orElse(null));
  }

  void addTo(AbortMultipartUploadRequest.Builder abort) {
    abort.expectedBucketOwner(bucketOwner.orElse(null)).requestPayer(payer.orElse(null));
  }

  void addTo(DeleteObjectRequest.Builder delete) {
    delete.expectedBucketOwner(bucketOwner.orElse(null)).requestPayer(payer.orElse(null));
  }

  void addTo(ListMultipartUploadsRequest.Builder list) {
    list.expectedBucketOwner(bucketOwner.orElse(null)).requestPayer(payer.orElse(null));
  }

  void addTo(ListPartsRequest.Builder list) {
    list.sseCustomerAlgorithm(customerAlgorithm())
        .sseCustomerKey(customerKey())
        .sseCustomerKeyMD5(customerKeyMd5())
        .expectedBucketOwner(bucketOwner.orElse(null))
        .requestPayer(payer.orElse(null));
  }

  void addTo(GetBucketLifecycleConfigurationRequest.Builder get) {
    get.expectedBucketOwner(bucketOwner.orElse(null));
  }

  /** HeadBucket has no payer. */
  void addTo(HeadBucketRequest.Builder head) {
    head.expectedBucketOwner(bucketOwner.orElse(null));
  }

  private Map<String, String> allMetadata(ObjectHeaders headers) {
    Map<String, String> all = new HashMap<>(metadata);
    all.putAll(headers.metadata());
    return all;
  }

  /** No tags are no header: the SDK makes an empty one of them, which some stores refuse. */
  private Optional<Tagging> tagging() {
    if (tags.isEmpty()) {
      return Optional.empty();
    }
    List<Tag> sorted =
        tags.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
            .toList();
    return Optional.of(Tagging.builder().tagSet(sorted).build());
  }

  private @Nullable String customerAlgorithm() {
    return encryption.customerKey().isPresent() ? CustomerKey.ALGORITHM : null;
  }

  private @Nullable String customerKey() {
    return encryption.customerKey().map(CustomerKey::base64).orElse(null);
  }

  private @Nullable String customerKeyMd5() {
    return encryption.customerKey().map(CustomerKey::md5Base64).orElse(null);
  }
}

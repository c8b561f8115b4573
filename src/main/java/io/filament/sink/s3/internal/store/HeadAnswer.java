package io.filament.sink.s3.internal.store;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Reads from the answer to a HEAD what the store says of an object. */
final class HeadAnswer {

  private HeadAnswer() {}

  /**
   * @param answer has a length
   * @param level which checksums the store is taken to have
   */
  static StoredObject read(HeadObjectResponse answer, ChecksumLevel level) {
    return new StoredObject(
        answer.contentLength(),
        crc32c(answer),
        CompositeCrc32c.ofAnswer(answer.checksumCRC32C()),
        etag(answer, level),
        lowerCase(answer.metadata()),
        version(answer));
  }

  private static Optional<Crc32c> crc32c(HeadObjectResponse answer) {
    return answer.checksumType() == ChecksumType.COMPOSITE
        ? Optional.empty()
        : Crc32c.ofAnswer(answer.checksumCRC32C());
  }

  private static Optional<Md5Etag> etag(HeadObjectResponse answer, ChecksumLevel level) {
    return level != ChecksumLevel.NONE
            || AnswerChecks.hasOwnEtag(answer.serverSideEncryption(), answer.sseCustomerAlgorithm())
        ? Optional.empty()
        : Md5Etag.ofAnswer(answer.eTag());
  }

  private static Optional<StoredObject.Version> version(HeadObjectResponse answer) {
    return answer.eTag() == null || answer.lastModified() == null
        ? Optional.empty()
        : Optional.of(new StoredObject.Version(answer.eTag(), answer.lastModified()));
  }

  /** HTTP header names have no case; S3 gives lower case, but what stands between may not. */
  private static Map<String, String> lowerCase(Map<String, String> metadata) {
    return metadata.entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().toLowerCase(Locale.ROOT),
                Map.Entry::getValue,
                (first, again) -> first));
  }
}

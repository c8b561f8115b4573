package io.filament.sink.s3.internal.store;

import io.filament.sink.IntegrityException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * Compares what the store's answers say of bytes with what was sent.
 *
 * @param bucket the bucket's name or access-point ARN, for messages
 */
record AnswerChecks(String bucket) {

  void requireSame(String operation, String key, @Nullable String answered, Crc32c expected)
      throws IntegrityException {
    Optional<Crc32c> actual = Crc32c.ofAnswer(answered);
    if (actual.isPresent()) {
      requireSame(operation, key, actual.get(), expected);
    }
  }

  void requireSame(String operation, String key, Record actual, Record expected)
      throws IntegrityException {
    if (!actual.equals(expected)) {
      throw new IntegrityException(
          "%s s3://%s/%s: the store has CRC-32C %s where %s was sent"
              .formatted(operation, bucket, key, actual, expected));
    }
  }

  /** Compares the checksum of a completed upload, of whichever type the store's is. */
  void requireSame(
      String key, CompleteMultipartUploadResponse answer, List<StagedPart> parts, Crc32c whole)
      throws IntegrityException {
    Optional<CompositeCrc32c> composite = CompositeCrc32c.ofAnswer(answer.checksumCRC32C());
    if (composite.isPresent()) {
      requireSame("CompleteMultipartUpload", key, composite.get(), CompositeCrc32c.of(parts));
    } else if (answer.checksumType() != ChecksumType.COMPOSITE) {
      requireSame("CompleteMultipartUpload", key, answer.checksumCRC32C(), whole);
    }
  }

  /** Compares what was sent as Content-MD5, if it was, with an ETag that looks like an MD5. */
  void requireSameMd5(
      String operation, String key, @Nullable String etag, @Nullable String contentMd5)
      throws IntegrityException {
    if (contentMd5 == null) {
      return;
    }
    Md5Etag sent = Md5Etag.ofContentMd5(contentMd5);
    Optional<Md5Etag> actual = Md5Etag.ofAnswer(etag).filter(sent::isComparableTo);
    if (actual.isPresent() && !actual.get().equals(sent)) {
      throw new IntegrityException(
          "%s s3://%s/%s: the store has the ETag %s where the MD5 %s was sent"
              .formatted(operation, bucket, key, actual.get(), sent));
    }
  }

  /** An object under a key of KMS or the customer has an ETag of the encrypted bytes. */
  static boolean hasOwnEtag(
      @Nullable ServerSideEncryption encryption, @Nullable String customerAlgorithm) {
    return customerAlgorithm != null
        || (encryption != null && encryption != ServerSideEncryption.AES256);
  }
}

package io.filament.sink.s3.internal.store;

import java.util.Objects;
import java.util.Optional;

/**
 * How a store is asked to encrypt objects.
 *
 * @param algorithm S3's word for it; if empty, the bucket's default applies
 * @param kmsKeyId the key of KMS; if empty, the bucket's
 * @param customerKey the key of SSE-C, which excludes the others
 */
public record Encryption(
    Optional<String> algorithm, Optional<String> kmsKeyId, Optional<CustomerKey> customerKey) {

  /** Asks for nothing. */
  public static final Encryption DEFAULT =
      new Encryption(Optional.empty(), Optional.empty(), Optional.empty());

  private static final String KMS = "aws:kms";

  public Encryption {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(kmsKeyId, "kmsKeyId");
    Objects.requireNonNull(customerKey, "customerKey");
    if (kmsKeyId.isPresent() && algorithm.filter(word -> word.startsWith(KMS)).isEmpty()) {
      throw new IllegalArgumentException(
          "a KMS key needs an algorithm of KMS, not " + algorithm.orElse("none"));
    }
    if (customerKey.isPresent() && algorithm.isPresent()) {
      throw new IllegalArgumentException(
          "a customer's key excludes the algorithm " + algorithm.get());
    }
  }

  boolean isKms() {
    return algorithm.filter(word -> word.startsWith(KMS)).isPresent();
  }
}

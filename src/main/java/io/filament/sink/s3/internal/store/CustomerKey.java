package io.filament.sink.s3.internal.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/**
 * A key that the store encrypts with and forgets (SSE-C). {@code toString} masks it.
 *
 * @param base64 the key's 32 bytes
 * @param md5Base64 the MD5 of these bytes, by which the store sees that the key came over whole
 */
public record CustomerKey(String base64, String md5Base64) {

  static final String ALGORITHM = "AES256";
  private static final int KEY_BYTES = 32;

  public CustomerKey {
    Objects.requireNonNull(base64, "base64");
    Objects.requireNonNull(md5Base64, "md5Base64");
  }

  /**
   * Reads a key.
   *
   * @throws IllegalArgumentException if it is not the Base64 of 32 bytes; the message doesn't hold
   *     the key
   */
  public static CustomerKey of(String base64) {
    byte[] key;
    try {
      key = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException unsaid) { // its message holds a character of the key
      throw new IllegalArgumentException("must be Base64 of " + KEY_BYTES + " bytes");
    }
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "must be Base64 of " + KEY_BYTES + " bytes, not of " + key.length);
    }
    return new CustomerKey(
        Base64.getEncoder().encodeToString(key), Base64.getEncoder().encodeToString(md5(key)));
  }

  @Override
  public String toString() {
    return "CustomerKey[***]";
  }

  List<String> secrets() {
    return List.of(base64, md5Base64);
  }

  private static byte[] md5(byte[] key) {
    try {
      return MessageDigest.getInstance("MD5").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no MD5; sse_customer_key needs it", e);
    }
  }
}

package io.filament.sink.s3.testing;

import io.filament.sink.s3.internal.store.Crc32c;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks what a request says of its bytes, as far as the store's profile does. */
record BodyChecks(StoreProfile profile) {

  static final String CRC32C = "x-amz-checksum-crc32c";
  static final String TYPE = "x-amz-checksum-type";

  /** Refuses the names of checksums where the store doesn't know them. */
  void names(WireRequest request) {
    boolean named =
        request.headers().keySet().stream()
            .anyMatch(
                name ->
                    name.startsWith("x-amz-checksum-") || name.startsWith("x-amz-sdk-checksum-"));
    if (named && profile.checksums() == StoreProfile.Checksums.INVALID) {
      throw new Refusal(400, "InvalidArgument", "unsupported header: x-amz-checksum");
    }
    if (named && profile.checksums() == StoreProfile.Checksums.NOT_IMPLEMENTED) {
      throw new Refusal(501, "NotImplemented", "A header you provided implies functionality");
    }
  }

  void body(WireRequest request) {
    if (!profile.checks()) {
      return;
    }
    Optional<String> md5 = request.header("content-md5");
    Optional<String> crc32c = request.header(CRC32C);
    if (profile.checksums() == StoreProfile.Checksums.REQUIRED
        && md5.isEmpty()
        && crc32c.isEmpty()) {
      throw new Refusal(400, "InvalidRequest", "Content-MD5 or x-amz-checksum is required");
    }
    String actualMd5 = contentMd5(request.body());
    if (!md5.orElse(actualMd5).equals(actualMd5)) {
      throw new Refusal(400, "BadDigest", "The Content-MD5 you specified did not match");
    }
    String actual = Crc32c.of(request.body()).base64();
    if (!crc32c.orElse(actual).equals(actual)) {
      throw new Refusal(400, "BadDigest", "The CRC32C you specified did not match");
    }
  }

  /** Returns the type of checksum that an upload will have; empty if it will have none. */
  Optional<String> uploadType(WireRequest request) {
    if (!profile.keepsChecksums() || request.header("x-amz-checksum-algorithm").isEmpty()) {
      return Optional.empty();
    }
    String type = request.header(TYPE).orElse("COMPOSITE");
    if (type.equals("FULL_OBJECT") && profile.checksums() == StoreProfile.Checksums.COMPOSITE) {
      throw new Refusal(400, "InvalidRequest", "FULL_OBJECT is not supported");
    }
    return Optional.of(type);
  }

  /** Returns what a put is told of its checksum, which the store keeps. */
  Map<String, String> kept(WireRequest request, byte[] stored) {
    return profile.keepsChecksums() && request.header(CRC32C).isPresent()
        ? Map.of(CRC32C, Crc32c.of(stored).base64(), TYPE, "FULL_OBJECT")
        : Map.of();
  }

  /** Returns the form of the header {@code Content-MD5}. */
  static String contentMd5(byte[] content) {
    return Base64.getEncoder().encodeToString(md5(content));
  }

  static String etag(byte[] content) {
    return "\"" + HexFormat.of().formatHex(md5(content)) + "\"";
  }

  /** The MD5 of the parts' MD5s, and their number. */
  static String etag(List<byte[]> parts) {
    MessageDigest digest = digest();
    parts.forEach(part -> digest.update(md5(part)));
    return "\"" + HexFormat.of().formatHex(digest.digest()) + "-" + parts.size() + "\"";
  }

  private static byte[] md5(byte[] content) {
    return digest().digest(content);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

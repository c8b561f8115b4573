package io.filament.sink.s3.internal.store;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An ETag that shows the bytes: the MD5 of a body, or the MD5 of the parts' MD5s and their number.
 * S3 promises neither for every object, but wherever there is no CRC-32C it is all that a store
 * tells.
 *
 * @param md5 32 lower-case hex digits
 * @param parts how many parts the object was completed of; empty if it was put, and for a part
 */
public record Md5Etag(String md5, OptionalInt parts) {

  private static final int BUFFER_BYTES = 16 * 1024;
  private static final Pattern FORM = Pattern.compile("\"?([0-9a-fA-F]{32})(?:-([0-9]{1,5}))?\"?");

  public Md5Etag {
    Objects.requireNonNull(md5, "md5");
    Objects.requireNonNull(parts, "parts");
  }

  /** Returns the ETag of one body; reads all of it. */
  public static Md5Etag of(Body body) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream content = body.content().get()) {
      for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    return new Md5Etag(HexFormat.of().formatHex(digest.digest()), OptionalInt.empty());
  }

  /**
   * Returns the ETag of an object that is made of these parts, in this order; empty if a part's own
   * ETag is no MD5, since the object's is none then either.
   */
  public static Optional<Md5Etag> of(List<StagedPart> parts) {
    MessageDigest digest = digest();
    for (StagedPart part : parts) {
      Optional<Md5Etag> etag = ofAnswer(part.etag());
      if (etag.isEmpty() || etag.get().parts().isPresent()) {
        return Optional.empty();
      }
      digest.update(HexFormat.of().parseHex(etag.get().md5()));
    }
    String md5 = HexFormat.of().formatHex(digest.digest());
    return Optional.of(new Md5Etag(md5, OptionalInt.of(parts.size())));
  }

  /** Reads what a store answered; what doesn't look like an MD5 is none. */
  static Optional<Md5Etag> ofAnswer(@Nullable String etag) {
    Matcher form = FORM.matcher(etag == null ? "" : etag);
    if (!form.matches()) {
      return Optional.empty();
    }
    OptionalInt parts =
        form.group(2) == null
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(form.group(2)));
    return Optional.of(new Md5Etag(form.group(1).toLowerCase(Locale.ROOT), parts));
  }

  /** Reads the header {@code Content-MD5}. */
  static Md5Etag ofContentMd5(String base64) {
    byte[] md5 = Base64.getDecoder().decode(base64);
    return new Md5Etag(HexFormat.of().formatHex(md5), OptionalInt.empty());
  }

  /** Returns the form of the header {@code Content-MD5}. */
  String contentMd5() {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(md5));
  }

  /** Returns whether both are made in the same way; only then does a difference mean anything. */
  public boolean isComparableTo(Md5Etag other) {
    return parts.isPresent() == other.parts.isPresent();
  }

  @Override
  public String toString() {
    return parts.isPresent() ? md5 + "-" + parts.getAsInt() : md5;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no MD5; checksum_mode none needs it", e);
    }
  }
}

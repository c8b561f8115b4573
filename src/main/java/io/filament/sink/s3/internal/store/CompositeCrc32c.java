package io.filament.sink.s3.internal.store;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The CRC-32C of the CRC-32Cs of an upload's parts (S3 User Guide, composite checksums). It says
 * which parts an object is made of, and differs with their borders.
 *
 * @param ofChecksums the checksum of the parts' checksums, 4 big-endian bytes each
 * @param parts how many parts there are
 */
public record CompositeCrc32c(Crc32c ofChecksums, int parts) {

  private static final Pattern ANSWER = Pattern.compile("([A-Za-z0-9+/]{6}==)-([0-9]{1,5})");

  public CompositeCrc32c {
    Objects.requireNonNull(ofChecksums, "ofChecksums");
    if (parts < 1) {
      throw new IllegalArgumentException("an upload has at least one part: " + parts);
    }
  }

  /** Returns the checksum of an object that is made of these parts, in this order. */
  public static CompositeCrc32c of(List<StagedPart> parts) {
    ByteBuffer checksums = ByteBuffer.allocate(Integer.BYTES * parts.size());
    parts.forEach(part -> checksums.putInt(part.crc32c().value()));
    return new CompositeCrc32c(Crc32c.of(checksums.array()), parts.size());
  }

  /** Reads what a store answered; anything but {@code AAAAAA==-2} is none. */
  static Optional<CompositeCrc32c> ofAnswer(@Nullable String text) {
    Matcher answer = ANSWER.matcher(text == null ? "" : text);
    if (!answer.matches() || Integer.parseInt(answer.group(2)) < 1) {
      return Optional.empty();
    }
    return Crc32c.ofAnswer(answer.group(1))
        .map(crc32c -> new CompositeCrc32c(crc32c, Integer.parseInt(answer.group(2))));
  }

  /** Returns 8 lower-case hex digits, and the number of parts after a hyphen. */
  @Override
  public String toString() {
    return ofChecksums.hex() + "-" + parts;
  }
}

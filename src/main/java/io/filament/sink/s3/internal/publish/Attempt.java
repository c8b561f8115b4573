package io.filament.sink.s3.internal.publish;

import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * One attempt to write a run. Its marks are the user metadata of all its objects, so that after a
 * lost answer our own object can be told from somebody else's at the same key.
 *
 * @param runId the run's id
 * @param token differs from that of every other attempt
 * @param begunAt when it began by the store's clock, if the store tells
 * @param claimKey the key of the object that decides between writers of one run, if there is one:
 *     who makes it goes on
 */
public record Attempt(
    String runId, String token, Optional<Instant> begunAt, Optional<String> claimKey) {

  static final String RUN_NAME = "filament-run";
  static final String TOKEN_NAME = "filament-attempt";

  // S3 allows 2 KiB of user metadata in all (S3 User Guide, object metadata).
  private static final int MAX_RUN_CHARS = 1024;

  public Attempt {
    Objects.requireNonNull(runId, "runId");
    Objects.requireNonNull(token, "token");
    Objects.requireNonNull(begunAt, "begunAt");
    Objects.requireNonNull(claimKey, "claimKey");
  }

  /** Returns a new attempt, whose token tells others of its claim. */
  public static Attempt begin(String runId, Optional<Instant> begunAt, Optional<String> claimKey) {
    String token = UUID.randomUUID() + claimKey.map(Attempt::claimMark).orElse("");
    return new Attempt(runId, token, begunAt, claimKey);
  }

  /**
   * Returns the marks as user metadata. The run id is percent-encoded where it has something else
   * than visible ASCII, which headers don't carry safely, and cut off after 1,024 characters.
   */
  public Map<String, String> marks() {
    return Map.of(RUN_NAME, percentEncoded(runId), TOKEN_NAME, token);
  }

  /** Returns whether an object was written by this attempt. */
  boolean wrote(StoredObject object) {
    return token.equals(object.metadata().get(TOKEN_NAME));
  }

  /** Returns whether the writer of an object has to make the same object before it goes on. */
  boolean sharesClaim(StoredObject object) {
    String other = object.metadata().getOrDefault(TOKEN_NAME, "");
    return claimKey.filter(key -> other.endsWith(claimMark(key))).isPresent();
  }

  private static String claimMark(String key) {
    return "-" + Crc32c.of(key.getBytes(StandardCharsets.UTF_8)).hex();
  }

  private static String percentEncoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append("%02X".formatted(b & 0xff));
      }
      if (encoded.length() >= MAX_RUN_CHARS) {
        break;
      }
    }
    return encoded.toString();
  }
}

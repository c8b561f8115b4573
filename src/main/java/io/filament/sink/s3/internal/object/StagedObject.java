package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.Upload;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One object, fully encoded and invisible: its parts are with the store, or its bytes are still
 * here.
 *
 * @param spec what it is
 * @param rows its records
 * @param length its bytes
 * @param crc32c the checksum of all its bytes
 * @param content where they are
 */
public record StagedObject(
    ObjectSpec spec, long rows, long length, Crc32c crc32c, Content content) {

  public StagedObject {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(crc32c, "crc32c");
    Objects.requireNonNull(content, "content");
  }

  /** Returns how many parts it has; 0 if its bytes are still here. */
  public int partCount() {
    return content instanceof Parts uploaded ? uploaded.parts().size() : 0;
  }

  /** Where the bytes are. */
  public sealed interface Content {}

  /**
   * All bytes are with the store, as the parts of an upload.
   *
   * @param replaced the ETag of what was at the key when the upload was started, if something was
   */
  public record Parts(Upload upload, List<StagedPart> parts, Optional<String> replaced)
      implements Content {

    public Parts {
      Objects.requireNonNull(upload, "upload");
      Objects.requireNonNull(replaced, "replaced");
      parts = List.copyOf(parts);
    }
  }

  /** All bytes are here; they are fewer than a part. */
  public record Whole(Body body) implements Content {

    public Whole {
      Objects.requireNonNull(body, "body");
    }
  }
}

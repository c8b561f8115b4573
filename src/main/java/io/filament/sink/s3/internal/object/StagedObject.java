package io.filament.sink.s3.internal.object;

import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.StagedPart;
import io.filament.sink.s3.internal.store.Upload;
import java.util.List;
import java.util.Objects;

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

  /** Where the bytes are. */
  public sealed interface Content {}

  /** All bytes are with the store, as the parts of an upload. */
  public record Parts(Upload upload, List<StagedPart> parts) implements Content {

    public Parts {
      Objects.requireNonNull(upload, "upload");
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

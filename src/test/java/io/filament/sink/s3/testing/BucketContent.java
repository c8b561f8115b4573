package io.filament.sink.s3.testing;

import io.filament.sink.s3.internal.store.Crc32c;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Objects and uploads in memory, and S3's rules for them. Guarded by who holds it. */
final class BucketContent {

  private static final String INVALID_PART = "InvalidPart";

  final TreeMap<String, Stored> objects = new TreeMap<>();
  final TreeMap<String, Pending> uploads = new TreeMap<>();
  final StoreProfile profile;
  private final BodyChecks checks;
  private final Clock clock;
  private int uploadCount;

  BucketContent(StoreProfile profile, Clock clock) {
    this.profile = profile;
    this.checks = new BodyChecks(profile);
    this.clock = clock;
  }

  /**
   * A visible object.
   *
   * @param headers what it says of itself
   * @param checksum the headers that show its checksum
   * @param partLengths of the parts that it was completed of
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Stored(
      byte[] content,
      Map<String, String> headers,
      String etag,
      Map<String, String> checksum,
      Instant modified,
      List<Integer> partLengths) {}

  /**
   * An upload in progress.
   *
   * @param checksumType of the object that it will make; empty for none
   */
  record Pending(
      String key,
      Map<String, String> headers,
      Optional<String> checksumType,
      TreeMap<Integer, byte[]> parts) {}

  /** One part as a request to complete lists it. */
  record Listed(int number, String etag, Optional<String> crc32c) {}

  /** Returns the same content, on which a request can be tried without an effect here. */
  BucketContent copy() {
    BucketContent copy = new BucketContent(profile, clock);
    copy.objects.putAll(objects);
    uploads.forEach(
        (id, upload) ->
            copy.uploads.put(
                id,
                new Pending(
                    upload.key(),
                    upload.headers(),
                    upload.checksumType(),
                    new TreeMap<>(upload.parts()))));
    copy.uploadCount = uploadCount + 1_000_000;
    return copy;
  }

  Stored put(WireRequest request, UnaryOperator<byte[]> damage) {
    checks.names(request);
    checks.body(request);
    condition(request);
    byte[] content = damage.apply(request.body());
    Stored stored =
        new Stored(
            content,
            described(request),
            BodyChecks.etag(content),
            checks.kept(request, content),
            clock.instant(),
            List.of());
    objects.put(request.key(), stored);
    return stored;
  }

  String start(WireRequest request) {
    checks.names(request);
    Optional<String> type = checks.uploadType(request);
    uploadCount++;
    String id = "upload-%07d".formatted(uploadCount);
    uploads.put(id, new Pending(request.key(), described(request), type, new TreeMap<>()));
    return id;
  }

  /** Returns the part as it is kept. */
  byte[] part(WireRequest request, UnaryOperator<byte[]> damage) {
    checks.names(request);
    Pending upload = upload(request);
    int number = Integer.parseInt(request.queryOr("partNumber", "0"));
    if (number < 1 || number > 10_000) {
      throw new Refusal(400, "InvalidArgument", "Part number must be between 1 and 10000");
    }
    checks.body(request);
    byte[] content = damage.apply(request.body());
    upload.parts().put(number, content);
    return content;
  }

  Stored complete(WireRequest request, List<Listed> listed) {
    checks.names(request);
    Pending upload = upload(request);
    condition(request);
    List<byte[]> parts = parts(upload, listed);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    parts.forEach(whole::writeBytes);
    Stored stored =
        new Stored(
            whole.toByteArray(),
            upload.headers(),
            BodyChecks.etag(parts),
            checksum(request, upload, parts, whole.toByteArray()),
            clock.instant(),
            parts.stream().map(part -> part.length).toList());
    objects.put(upload.key(), stored);
    uploads.remove(request.queryOr("uploadId", ""));
    return stored;
  }

  Pending upload(WireRequest request) {
    Pending upload = uploads.get(request.queryOr("uploadId", ""));
    if (upload == null || !upload.key().equals(request.key())) {
      throw new Refusal(404, "NoSuchUpload", "The specified upload does not exist.");
    }
    return upload;
  }

  Stored object(String key) {
    Stored stored = objects.get(key);
    if (stored == null) {
      throw new Refusal(404, "NoSuchKey", "The specified key does not exist.");
    }
    return stored;
  }

  private List<byte[]> parts(Pending upload, List<Listed> listed) {
    List<byte[]> parts = new ArrayList<>();
    int before = 0;
    for (Listed one : listed) {
      byte[] part = upload.parts().get(one.number());
      if (one.number() <= before) {
        throw new Refusal(400, "InvalidPartOrder", "parts must be ordered by part number");
      }
      if (part == null || !unquoted(BodyChecks.etag(part)).equals(unquoted(one.etag()))) {
        throw new Refusal(400, INVALID_PART, "part " + one.number() + " could not be found");
      }
      String crc32c = Crc32c.of(part).base64();
      if (profile.checks() && !one.crc32c().orElse(crc32c).equals(crc32c)) {
        throw new Refusal(400, INVALID_PART, "part " + one.number() + " has another checksum");
      }
      if (upload.checksumType().filter("COMPOSITE"::equals).isPresent() && one.crc32c().isEmpty()) {
        throw new Refusal(400, "InvalidRequest", "part " + one.number() + " needs its checksum");
      }
      before = one.number();
      parts.add(part);
    }
    for (int i = 0; i < parts.size() - 1; i++) {
      if (parts.get(i).length < profile.leastPartBytes()) {
        throw new Refusal(400, "EntityTooSmall", "part " + listed.get(i).number() + " is small");
      }
    }
    return parts;
  }

  private Map<String, String> checksum(
      WireRequest request, Pending upload, List<byte[]> parts, byte[] whole) {
    String type = upload.checksumType().orElse("");
    Optional<String> said = request.header(BodyChecks.TYPE);
    if (profile.keepsChecksums() && !said.orElse(type).equals(type)) {
      throw new Refusal(400, "InvalidRequest", "the upload was started as " + type);
    }
    return switch (type) {
      case "FULL_OBJECT" -> {
        String crc32c = Crc32c.of(whole).base64();
        if (!request.header(BodyChecks.CRC32C).orElse(crc32c).equals(crc32c)) {
          throw new Refusal(400, "BadDigest", "The CRC32C you specified did not match");
        }
        yield Map.of(BodyChecks.CRC32C, crc32c, BodyChecks.TYPE, type);
      }
      case "COMPOSITE" -> {
        ByteBuffer checksums = ByteBuffer.allocate(Integer.BYTES * parts.size());
        parts.forEach(part -> checksums.putInt(Crc32c.of(part).value()));
        String crc32c = Crc32c.of(checksums.array()).base64() + "-" + parts.size();
        yield Map.of(BodyChecks.CRC32C, crc32c, BodyChecks.TYPE, type);
      }
      default -> Map.of();
    };
  }

  /** S3 User Guide, conditional writes. */
  private void condition(WireRequest request) {
    Optional<String> absent = request.header("if-none-match");
    Optional<String> same = request.header("if-match");
    if ((absent.isEmpty() && same.isEmpty())
        || profile.conditions() == StoreProfile.Conditions.IGNORED) {
      return;
    }
    if (profile.conditions() == StoreProfile.Conditions.NOT_IMPLEMENTED) {
      throw new Refusal(501, "NotImplemented", "A header you provided implies functionality");
    }
    Stored there = objects.get(request.key());
    if (absent.isPresent() && there != null) {
      throw new Refusal(412, "PreconditionFailed", "If-None-Match: the key has an object");
    }
    if (same.isPresent() && there == null) {
      throw new Refusal(404, "NoSuchKey", "The specified key does not exist.");
    }
    if (same.isPresent() && !unquoted(same.get()).equals(unquoted(there.etag()))) {
      throw new Refusal(412, "PreconditionFailed", "If-Match: the object has another ETag");
    }
  }

  private static Map<String, String> described(WireRequest request) {
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach(
            (name, value) -> {
              if (name.startsWith("x-amz-meta-")
                  || name.equals("content-type")
                  || name.equals("content-encoding")) {
                headers.put(name, value);
              }
            });
    return Map.copyOf(headers);
  }

  private static String unquoted(String etag) {
    return etag.replace("\"", "");
  }
}

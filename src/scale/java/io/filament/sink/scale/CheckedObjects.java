package io.filament.sink.scale;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a store that drops all bytes knows of its objects, and what it found wrong. Any thread may
 * call.
 */
final class CheckedObjects {

  /**
   * An object.
   *
   * @param metadata its user metadata, as header lines
   */
  record Known(Content content, String metadata) {}

  /**
   * Its bytes.
   *
   * @param partBytes the size of its parts but the last; 0 if it was put whole
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares contents
  record Content(
      long length, int crc, int parts, long partBytes, long lines, byte[] head, byte[] tail) {

    static Content whole(ReceivedBody body) {
      return new Content(body.length(), body.crc(), 0, 0, body.lines(), body.head(), body.tail());
    }
  }

  private static final class Started {
    private final String key;
    private final String metadata;
    private final Map<Integer, ReceivedBody> parts = new TreeMap<>();

    private Started(String key, String metadata) {
      this.key = key;
      this.metadata = metadata;
    }
  }

  private final AtomicLong ids = new AtomicLong();
  // The three below are guarded by this.
  private final Map<String, Known> objects = new TreeMap<>();
  private final Map<String, Started> uploads = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  synchronized String start(String key, String metadata) {
    String id = "upload-" + ids.incrementAndGet();
    uploads.put(id, new Started(key, metadata));
    return id;
  }

  /** Takes a part, and returns whether its bytes are those that were announced. */
  synchronized boolean part(String id, int number, ReceivedBody body, Optional<String> announced) {
    Started upload = uploads.get(id);
    if (upload == null) {
      problems.add("part " + number + " of no upload: " + id);
      return false;
    }
    upload.parts.put(number, body);
    return matches(upload.key + " part " + number, body.crc(), announced);
  }

  synchronized boolean put(
      String key, ReceivedBody body, String metadata, Optional<String> announced) {
    objects.put(key, new Known(Content.whole(body), metadata));
    return matches(key, body.crc(), announced);
  }

  /** Completes an upload, and returns whether the object is what was announced. */
  synchronized boolean complete(String id, int listed, Optional<String> announced) {
    Started upload = uploads.remove(id);
    if (upload == null || upload.parts.isEmpty()) {
      problems.add("an upload without parts was completed: " + id);
      return false;
    }
    Content content = content(upload);
    if (listed != content.parts()) {
      problems.add(upload.key + ": " + listed + " parts listed, " + content.parts() + " sent");
    }
    objects.put(upload.key, new Known(content, upload.metadata));
    return matches(upload.key, content.crc(), announced);
  }

  private Content content(Started upload) {
    long length = 0;
    long lines = 0;
    int crc = 0;
    int count = 0;
    long partBytes = upload.parts.values().iterator().next().length();
    byte[] head = upload.parts.values().iterator().next().head();
    byte[] tail = head;
    for (Map.Entry<Integer, ReceivedBody> part : upload.parts.entrySet()) {
      count++;
      ReceivedBody body = part.getValue();
      boolean last = count == upload.parts.size();
      if (part.getKey() != count
          || (last ? body.length() > partBytes : body.length() != partBytes)) {
        problems.add(
            "%s: part %d has %d bytes, the first has %d"
                .formatted(upload.key, part.getKey(), body.length(), partBytes));
      }
      crc = count == 1 ? body.crc() : Crc.combined(crc, body.crc(), body.length());
      length += body.length();
      lines += body.lines();
      tail = body.tail();
    }
    return new Content(length, crc, count, partBytes, lines, head, tail);
  }

  private boolean matches(String what, int crc, Optional<String> announced) {
    if (announced.isPresent() && announced.get().equals(Crc.base64(crc))) {
      return true;
    }
    problems.add("%s: CRC-32C %s, announced %s".formatted(what, Crc.base64(crc), announced));
    return false;
  }

  synchronized void abort(String id) {
    uploads.remove(id);
  }

  synchronized Optional<Known> object(String key) {
    return Optional.ofNullable(objects.get(key));
  }

  /** Returns a line for each object, each problem, and for how many uploads are open. */
  synchronized List<String> report() {
    List<String> lines = new ArrayList<>();
    objects.forEach(
        (key, known) -> {
          Content content = known.content();
          lines.add(
              "object\t%s\t%d\t%08x\t%d\t%d\t%d\t%s\t%s"
                  .formatted(
                      key,
                      content.length(),
                      content.crc(),
                      content.parts(),
                      content.partBytes(),
                      content.lines(),
                      hex(content.head()),
                      hex(content.tail())));
        });
    problems.forEach(problem -> lines.add("problem\t" + problem));
    lines.add("open\t" + uploads.size());
    return lines;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}

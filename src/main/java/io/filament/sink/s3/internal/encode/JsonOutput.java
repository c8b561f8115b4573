package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.io.OutputStream;

/**
 * JSON on its way to a stream, through one buffer. It begins small, since a resource may wait long
 * for its first record, and is handed over once it has {@value #FULL_BYTES} bytes, within a record
 * too: records are checked before.
 */
final class JsonOutput {

  private static final int FULL_BYTES = 64 << 10;

  /** A long value is put in pieces of this size, so that it never stands whole in the buffer. */
  private static final int PIECE_BYTES = 4096 * Base64Text.GROUP_BYTES;

  private final OutputStream out;
  private final TextBuffer text = new TextBuffer();

  JsonOutput(OutputStream out) {
    this.out = out;
  }

  /** Returns the buffer, for short texts. */
  TextBuffer text() {
    return text;
  }

  /** Puts UTF-8 as a string, with quotes and escapes. */
  void putString(byte[] utf8, int start, int count) throws IOException {
    if (count <= PIECE_BYTES) {
      JsonStrings.putQuoted(utf8, start, count, text);
      return;
    }
    text.put('"');
    putPieces(utf8, start, count, JsonStrings::put);
    text.put('"');
  }

  /** Puts bytes as a string in Base64. */
  void putBase64(byte[] bytes, int start, int count) throws IOException {
    text.put('"');
    putPieces(bytes, start, count, Base64Text::put);
    text.put('"');
  }

  /** Puts UTF-8 that is JSON as it stands. */
  void putRaw(byte[] utf8, int start, int count) throws IOException {
    putPieces(utf8, start, count, (source, from, length, to) -> to.put(source, from, length));
  }

  /** Hands over what is there if it is much. */
  void flushIfFull() throws IOException {
    if (text.length() >= FULL_BYTES) {
      flush();
    }
  }

  /** Hands over what is there. */
  void flush() throws IOException {
    out.write(text.array(), 0, text.length());
    text.clear();
  }

  /** Puts some bytes in another form. */
  private interface Form {

    void put(byte[] source, int start, int count, TextBuffer to);
  }

  private void putPieces(byte[] source, int start, int count, Form form) throws IOException {
    int from = start;
    int end = start + count;
    while (end - from > PIECE_BYTES) {
      form.put(source, from, PIECE_BYTES, text);
      from += PIECE_BYTES;
      flushIfFull();
    }
    form.put(source, from, end - from, text);
  }
}

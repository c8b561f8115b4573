package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.SerializableString;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bytes that are JSON as they stand, in the form that Jackson's generator copies without decoding
 * them. It asks for them in two ways, the only ones that work here.
 */
final class RawUtf8 implements SerializableString {

  private byte[] bytes = new byte[0];
  private int start;
  private int length;

  /** Stands for these bytes until the next call. */
  RawUtf8 of(byte[] source, int from, int count) {
    bytes = source;
    start = from;
    length = count;
    return this;
  }

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    if (length > buffer.length - offset) {
      return -1;
    }
    System.arraycopy(bytes, start, buffer, offset, length);
    return length;
  }

  @Override
  public byte[] asUnquotedUTF8() {
    return Arrays.copyOfRange(bytes, start, start + length);
  }

  @Override
  public String getValue() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int charLength() {
    throw new UnsupportedOperationException();
  }

  @Override
  public char[] asQuotedChars() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] asQuotedUTF8() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int appendQuotedUTF8(byte[] buffer, int offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer buffer) {
    throw new UnsupportedOperationException();
  }
}

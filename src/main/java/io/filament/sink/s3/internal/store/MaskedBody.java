package io.filament.sink.s3.internal.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;

/**
 * The body of an answer, with the secrets masked if it is a refusal or turns out to be an error. It
 * is read when the first byte is asked for. Whatever comes before the end, or before the connection
 * breaks, is handed on: a status and half a text tell more than a broken connection.
 */
final class MaskedBody extends InputStream {

  /** More than any store says of a refusal; the SDK makes many objects of its elements. */
  private static final int MOST_OF_REFUSAL = 64 << 10;

  /** What is longer than this without an error in it is a result. */
  private static final int MOST_OF_ANSWER = 1 << 20;

  private static final int PIECE_BYTES = 8 << 10;

  /** How all errors of S3 and STS begin: {@code Error}, {@code ErrorResponse}. */
  private static final String ERROR = "<Error";

  private final AbortableInputStream body;
  private final Secrets secrets;
  private final boolean isRefusal;
  private @Nullable InputStream masked;

  /**
   * @param isRefusal whether the status says so
   */
  MaskedBody(AbortableInputStream body, Secrets secrets, boolean isRefusal) {
    this.body = body;
    this.secrets = secrets;
    this.isRefusal = isRefusal;
  }

  @Override
  public int read() throws IOException {
    return masked().read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return masked().read(buffer, offset, length);
  }

  @Override
  public int available() throws IOException {
    return masked().available();
  }

  @Override
  public void close() throws IOException {
    body.close();
  }

  private InputStream masked() {
    InputStream known = masked;
    if (known == null) {
      known = read(new ByteArrayOutputStream());
      masked = known;
    }
    return known;
  }

  /** Reads what is short enough to be a text, and returns that and what comes after it. */
  private InputStream read(ByteArrayOutputStream text) {
    byte[] piece = new byte[PIECE_BYTES];
    try {
      while (text.size() < (isRefusal ? MOST_OF_REFUSAL : MOST_OF_ANSWER)) {
        int count = body.read(piece);
        if (count < 0) {
          return masked(text, InputStream.nullInputStream());
        }
        text.write(piece, 0, count);
      }
    } catch (IOException e) {
      return masked(text, new Broken(secrets.mask(e)));
    }
    return masked(text, body);
  }

  private InputStream masked(ByteArrayOutputStream read, InputStream rest) {
    // Byte by byte the same as it came, in whichever encoding.
    String text = read.toString(ISO_8859_1);
    boolean isError = isRefusal || text.contains(ERROR);
    if (!isError) {
      return new SequenceInputStream(new ByteArrayInputStream(read.toByteArray()), rest);
    }
    if (rest == body) {
      body.abort(); // else closing it reads on to the end
      // A secret may stand on both sides of the cut.
      String whole = text.substring(0, text.length() - secrets.longest());
      return new ByteArrayInputStream(secrets.mask(whole).getBytes(ISO_8859_1));
    }
    return new SequenceInputStream(
        new ByteArrayInputStream(secrets.mask(text).getBytes(ISO_8859_1)), rest);
  }

  /** The place where a connection broke. */
  private static final class Broken extends InputStream {

    private final IOException failure;

    Broken(IOException failure) {
      this.failure = failure;
    }

    @Override
    public int read() throws IOException {
      throw failure;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      throw failure;
    }
  }
}

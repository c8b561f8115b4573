package io.filament.sink.s3.internal.object;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import io.filament.sink.s3.internal.store.Upload;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the object of one resource: encodes its batches, sends each part as soon as it is full,
 * and leaves an object that is uploaded and invisible. The door of this package.
 *
 * <p>Used by one thread at a time, except for {@link #upload}. After a failure only {@code upload}
 * and {@link #close} may be called.
 */
public final class ObjectWriter implements Closeable {

  private final ObjectSpec spec;
  private final MultipartUploader uploader;
  private final PartOutput output;
  private final ResourceEncoder encoder;
  private StagedObject.@Nullable Whole whole;

  private ObjectWriter(
      ObjectSpec spec, MultipartUploader uploader, PartOutput output, ResourceEncoder encoder) {
    this.spec = spec;
    this.uploader = uploader;
    this.output = output;
    this.encoder = encoder;
  }

  /**
   * Refuses a schema that the format can't hold.
   *
   * @throws IllegalArgumentException with the resource, the field and the rule
   */
  public static void checkSchema(String resource, Schema schema, ObjectFormat format) {
    ResourceEncoder.checkSchema(resource, schema, format);
  }

  /**
   * Refuses a batch that would declare its resource: its schema, or its columns.
   *
   * @throws IllegalArgumentException with the resource, the field and the rule
   */
  public static void checkFirst(RecordBatch batch, ObjectFormat format) {
    ResourceEncoder.checkSchema(batch.resource(), batch.schema(), format);
    ResourceEncoder.checkFirstColumns(batch);
  }

  /** Returns a writer. Makes no request. */
  public static ObjectWriter open(ObjectSpec spec, PartLimits limits, UploadContext context)
      throws IOException {
    MultipartUploader uploader = new MultipartUploader(spec, limits, context);
    PartOutput output = new PartOutput(limits, uploader, context.segments());
    ResourceEncoder encoder =
        ResourceEncoder.open(
            spec.resource(), spec.schema(), spec.format(), context.threads(), output);
    return new ObjectWriter(spec, uploader, output, encoder);
  }

  /**
   * Refuses a batch whose columns can't hold their types, before a byte is written.
   *
   * @throws IllegalArgumentException with the resource, the field and the kinds
   */
  public void checkColumns(RecordBatch batch) {
    encoder.checkColumns(batch);
  }

  /** Encodes a batch; waits while a full part can't be sent. */
  public void write(RecordBatch batch) throws IOException {
    encoder.write(batch);
  }

  /** Returns what the object is. */
  public ObjectSpec spec() {
    return spec;
  }

  /** Returns the object's bytes so far. */
  public long encodedBytes() {
    return output.length();
  }

  /** Returns how far the object may still grow. */
  public long bytesLeft() {
    return mostBytes() - encodedBytes();
  }

  /** Returns the most bytes that the object can have. */
  public long mostBytes() {
    return uploader.mostBytes();
  }

  /** Returns what the calls so far have waited for; the caller takes it over. */
  public Waits waits() {
    return uploader.waits();
  }

  /** Ends the encoding and sends the last part. Called once, after the last batch. */
  public void finish() throws IOException {
    encoder.finish();
    whole = output.end();
    encoder.close();
  }

  /** Waits for all parts. Called after {@link #finish}. */
  public StagedObject staged() throws IOException {
    StagedObject.Content content = whole == null ? uploader.staged(output.length()) : whole;
    return new StagedObject(spec, encoder.rows(), output.length(), output.crc32c(), content);
  }

  /** Returns the upload that was started, if one was. Any thread may call. */
  public Optional<Upload> upload() {
    return Optional.ofNullable(uploader.upload());
  }

  /** Frees the encoder. Writes and sends nothing; idempotent. */
  @Override
  public void close() {
    encoder.close();
  }
}

package io.filament.sink.s3.internal.object;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RecordBatch;
import io.filament.sink.Schema;
import io.filament.sink.SinkEvent.WaitReason;
import io.filament.sink.s3.internal.encode.EncodeContext;
import io.filament.sink.s3.internal.encode.ResourceEncoder;
import io.filament.sink.s3.internal.memory.Relief;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import io.filament.sink.s3.internal.memory.Turn;
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

  /** What must be left for the records that are being encoded. */
  public static final long ROOM_BYTES = ResourceEncoder.ROOM_BYTES;

  /**
   * What must be left for early ends of row groups and files that are no smaller than their rows.
   */
  public static final long MARGIN_BYTES = 1 << 20;

  /** What an object without bytes takes, beside its encoder: measured. */
  private static final long LEAST_BYTES = 2 * 1024;

  /** For the first bytes of the first part. */
  private static final long START_BYTES = PartBuffer.FIRST_SEGMENT_BYTES;

  /** For what ends a file that has not all its memory to be ended with. */
  private static final long END_BYTES = 1024;

  private final ObjectSpec spec;
  private final MultipartUploader uploader;
  private final PartOutput output;
  private final ResourceMemory memory;

  /** Null once the object has its end, or the run has. Batches are checked out of turn. */
  private volatile @Nullable ResourceEncoder encoder;

  private long rows;

  private ObjectWriter(
      ObjectSpec spec,
      MultipartUploader uploader,
      PartOutput output,
      ResourceEncoder encoder,
      ResourceMemory memory) {
    this.spec = spec;
    this.uploader = uploader;
    this.output = output;
    this.encoder = encoder;
    this.memory = memory;
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
    ResourceMemory memory =
        context
            .memory()
            .open(
                () -> spec.title(context.store().bucket()),
                leastBytes(spec.schema(), spec.format()),
                START_BYTES + ResourceEncoder.startBytes(spec.schema(), spec.format()));
    PartOutput output = new PartOutput(limits, uploader, context.segments(), memory);
    ResourceEncoder encoder =
        ResourceEncoder.open(
            spec.resource(),
            spec.schema(),
            spec.format(),
            new EncodeContext(context.threads(), context.workspaces(), memory),
            output);
    ObjectWriter writer = new ObjectWriter(spec, uploader, output, encoder, memory);
    memory.relievedBy(writer.new Relieving());
    return writer;
  }

  /** Returns what a resource holds at least, whatever is written. */
  public static long leastBytes(Schema schema, ObjectFormat format) {
    return ResourceEncoder.leastBytes(schema, format) + LEAST_BYTES + START_BYTES + END_BYTES;
  }

  /** Returns what the resources of a run share. */
  public static long sharedBytes(ObjectFormat format) {
    return ResourceEncoder.sharedBytes(format);
  }

  /** Says how another thread gets to this object, to free memory. Called before it is used. */
  public void takenBy(Turn turn) {
    memory.takenBy(turn);
  }

  /**
   * Refuses a batch whose columns can't hold their types, before a byte is written.
   *
   * @throws IllegalArgumentException with the resource, the field and the kinds
   */
  public void checkColumns(RecordBatch batch) {
    ResourceEncoder open = encoder;
    if (open != null) {
      open.checkColumns(batch);
    }
  }

  /** Encodes a batch; waits while a full part can't be sent, and for memory. */
  public void write(RecordBatch batch) throws IOException {
    memory.enter();
    try {
      encoder().write(batch);
    } finally {
      memory.leave();
      uploader.waits().add(WaitReason.MEMORY, memory.takeWaitedNanos());
    }
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

  /**
   * Ends the encoding, and sends the last part if there were others. What is held then is no more
   * than the object's bytes, if they are here. Called once, after the last batch.
   */
  public void finish() throws IOException {
    ResourceEncoder ending = encoder();
    memory.enter();
    try {
      // What the encoder lets go of is enough for what it writes: nobody else need free anything.
      memory.beginWritingOut();
      memory.release(END_BYTES);
      ending.finish();
      output.end();
      rows = ending.rows();
      close();
      memory.endWritingOut();
      memory.keepOnly(LEAST_BYTES, output.keptBytes());
    } finally {
      memory.leave();
      uploader.waits().add(WaitReason.MEMORY, memory.takeWaitedNanos());
    }
  }

  /** Waits for all parts. Called after {@link #finish}. */
  public StagedObject staged() throws IOException {
    StagedObject.Content content = output.staged();
    return new StagedObject(spec, rows, output.length(), output.crc32c(), content);
  }

  /** Returns the upload that was started, if one was. Any thread may call. */
  public Optional<Upload> upload() {
    return Optional.ofNullable(uploader.upload());
  }

  /** Frees the encoder. Writes and sends nothing; idempotent. */
  @Override
  public void close() {
    ResourceEncoder ended = encoder;
    if (ended != null) {
      ended.close();
      encoder = null;
    }
  }

  private ResourceEncoder encoder() {
    ResourceEncoder open = encoder;
    if (open == null) {
      throw new IllegalStateException(
          "the object of \"" + spec.resource() + "\" has its end, or is closed");
    }
    return open;
  }

  /** Frees memory, for who has the turn. */
  private final class Relieving implements Relief {

    @Override
    public void cut() throws IOException {
      ResourceEncoder open = encoder;
      if (open != null) {
        open.cut();
      }
    }

    @Override
    public void giveUpRecords() {
      ResourceEncoder open = encoder;
      if (open != null) {
        open.giveUpRecords();
      }
    }

    @Override
    public void send() throws IOException {
      output.sendEarly();
    }
  }
}

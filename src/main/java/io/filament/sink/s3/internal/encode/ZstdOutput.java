package io.filament.sink.s3.internal.encode;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import io.filament.sink.s3.internal.encode.EncodeThreads.Work;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One Zstandard frame (RFC 8878) with the checksum of its content. Not several frames as gzip has
 * members: some readers stop at the end of the first, as the one of Python's zstandard does unless
 * told otherwise, and say nothing.
 *
 * <p>A block is compressed on another thread while the next one is filled; no two at once, since
 * each refers to those before it. The frame's bytes depend on the input alone: zstd makes blocks of
 * its own, wherever those here end and however much room it has for what they become.
 */
final class ZstdOutput extends CompressedOutput {

  /**
   * Twice what zstd compresses at a time: with that alone, hand-overs take half of what other
   * threads win, and with less all of it.
   */
  static final int BLOCK_BYTES = 256 << 10;

  private static final int LEVEL = 3;

  /** What a stream takes with its first full block, from above; its context some 3.2 MiB of it. */
  static final long FULL_BYTES = 4 << 20;

  /** The native memory of a context at this level: window, tables and zstd's own blocks. */
  private static final long CONTEXT_BYTES = FULL_BYTES - BLOCK_BYTES;

  /** How much is handed on at a time where a block is compressed on its own thread. */
  private static final int PIECE_BYTES = 8 << 10;

  /** More than a block becomes, whatever it is: zstd adds up to 1/256 and a header. */
  private static final int MOST_COMPRESSED_BYTES = BLOCK_BYTES + BLOCK_BYTES / 64;

  /** What a block takes on another thread: the next one, and what this one becomes. */
  private static final int BEGUN_BYTES = BLOCK_BYTES + MOST_COMPRESSED_BYTES;

  private final OutputStream out;
  private final EncodeThreads threads;
  private final ResourceMemory memory;

  /** What is reserved for the context, which takes its memory with the first block. */
  private long contextHeld;

  /** Used and closed under its own lock: to close it while a thread is in it would end the JVM. */
  private final ZstdCompressCtx context;

  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);

  /** Nobody else uses the context until it is taken. */
  private @Nullable Work<Compressed> begun;

  ZstdOutput(
      OutputStream out, EncodeThreads threads, ResourceMemory memory, ZstdCompressCtx context) {
    super(out, BLOCK_BYTES, memory);
    this.out = out;
    this.threads = threads;
    this.memory = memory;
    this.context = context;
  }

  /**
   * Returns a stream whose bytes depend on nothing but the input.
   *
   * @throws IOException if the native library can't be loaded
   */
  static ZstdOutput to(OutputStream out, EncodeThreads threads, ResourceMemory memory)
      throws IOException {
    return new ZstdOutput(
        out,
        threads,
        memory,
        NativeLibrary.ZSTD.load(() -> new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true)));
  }

  @Override
  byte[] compress(byte[] block, int count) throws IOException {
    if (contextHeld == 0) {
      memory.reserveForOutput(CONTEXT_BYTES);
      contextHeld = CONTEXT_BYTES;
    }
    writeBegun();
    begun = tryBegin(block, count);
    if (begun != null) {
      return new byte[BLOCK_BYTES];
    }
    feed(block, count);
    return block;
  }

  /** Returns null if no thread or no memory is free. */
  private @Nullable Work<Compressed> tryBegin(byte[] block, int count) throws IOException {
    if (!memory.tryReserve(BEGUN_BYTES)) {
      return null;
    }
    Work<Compressed> work = threads.tryBegin(() -> compressed(block, count));
    if (work == null) {
      memory.release(BEGUN_BYTES);
    }
    return work;
  }

  /** Runs on another thread. */
  private Compressed compressed(byte[] block, int count) {
    byte[] bytes = new byte[MOST_COMPRESSED_BYTES];
    ByteBuffer all = ByteBuffer.wrap(bytes);
    ByteBuffer input = ByteBuffer.wrap(block, 0, count);
    if (!step(all, input, EndDirective.CONTINUE) || input.hasRemaining()) {
      throw new IllegalStateException("zstd has made more of a block than it may become");
    }
    return new Compressed(bytes, all.position());
  }

  @Override
  long begunBytes() {
    return begun == null ? 0 : BEGUN_BYTES;
  }

  @Override
  void writeBegun() throws IOException {
    if (begun != null) {
      Compressed compressed = begun.takeOrDo();
      begun = null;
      writeInItsPlace(compressed, BEGUN_BYTES);
    }
  }

  /** Compresses on this thread; nothing of what comes out stays in the context. */
  private void feed(byte[] block, int count) throws IOException {
    ByteBuffer input = ByteBuffer.wrap(block, 0, count);
    boolean isAllOut;
    do {
      isAllOut = step(piece, input, EndDirective.CONTINUE);
      drain();
    } while (!isAllOut || input.hasRemaining());
  }

  /** Returns whether all that was compressed is in {@code to}. */
  private boolean step(ByteBuffer to, ByteBuffer input, EndDirective directive) {
    synchronized (context) {
      return context.compressByteBufferStream(to, input, directive);
    }
  }

  @Override
  void end(byte[] block, int count) throws IOException {
    writeBegun();
    memory.release(contextHeld); // what it still holds back takes its place
    contextHeld = 0;
    if (count > 0) {
      feed(block, count);
    }
    ByteBuffer nothing = ByteBuffer.allocate(0);
    boolean ended;
    do {
      ended = step(piece, nothing, EndDirective.END);
      drain();
    } while (!ended);
  }

  /** A frame is never cut: what it refers to would be lost. */
  @Override
  boolean mayBeCut() {
    return false;
  }

  @Override
  void compressAlone(byte[] block, int count) throws IOException {
    writeBegun();
    feed(block, count);
  }

  /** Waits for a thread that is in the context, which leaves it after a block. */
  @Override
  void free() {
    if (begun != null) {
      begun.drop();
    }
    synchronized (context) {
      context.close();
    }
    memory.release(contextHeld + begunBytes());
    contextHeld = 0;
    begun = null;
  }

  private void drain() throws IOException {
    out.write(piece.array(), 0, piece.position());
    piece.clear();
  }
}

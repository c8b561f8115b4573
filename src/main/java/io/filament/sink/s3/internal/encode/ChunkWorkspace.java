package io.filament.sink.s3.internal.encode;

import io.filament.sink.Compression;
import io.filament.sink.s3.internal.memory.ResourceMemory;
import java.io.IOException;
import java.util.Objects;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * What one file's columns work with. The tools are borrowed from those that the run's files share,
 * and only there while they are. Used by one thread at a time.
 */
final class ChunkWorkspace implements BytesInputCompressor {

  private final Workspaces workspaces;
  private final Compression compression;
  private final ResourceMemory memory;
  private final CompressionCodecName codec;
  private @Nullable ChunkTools tools;
  private boolean keepsPages = true;
  private long heldForPages;

  /**
   * @throws IOException if the compressor's native library can't be loaded
   */
  ChunkWorkspace(Workspaces workspaces, Compression compression, ResourceMemory memory)
      throws IOException {
    this.workspaces = workspaces;
    this.compression = compression;
    this.memory = memory;
    borrow();
    this.codec = compressor().getCodecName();
    giveBack();
  }

  /** Gets the tools, for which it may wait, though never for who waits for memory. */
  void borrow() throws IOException {
    tools = workspaces.borrow(compression);
  }

  void giveBack() {
    if (tools != null) {
      workspaces.giveBack(tools);
      tools = null;
    }
  }

  /** Returns tools for work on another thread, or null if there is no memory to spare. */
  @Nullable LentTools tryLend(LentTools.Use use, long bytes) throws IOException {
    return workspaces.tryLend(use, compression, bytes);
  }

  /** Takes lent tools back, from any thread. */
  void giveBack(LentTools lent) {
    workspaces.giveBack(lent);
  }

  /** Holds memory for what other threads have made, if there is some to spare. */
  boolean tryHold(long bytes) {
    return workspaces.tryHold(bytes);
  }

  /** Gives back what {@link #tryHold} has got, from any thread. */
  void letGo(long bytes) {
    workspaces.letGo(bytes);
  }

  PageCompressor compressor() {
    return tools().compressor();
  }

  ChunkDictionary dictionary() {
    return tools().dictionary();
  }

  PageBytes page() {
    return tools().page();
  }

  private ChunkTools tools() {
    return Objects.requireNonNull(tools, "tools");
  }

  /**
   * Lets pages give their memory up when they are written, rather than keep it for the next row
   * group.
   *
   * @param held what is reserved for them
   */
  void dropPages(long held) {
    keepsPages = false;
    heldForPages = held;
  }

  /** Lets pages keep their memory again, and gives back what is left of the others'. */
  void keepPages() {
    keepsPages = true;
    memory.release(heldForPages);
    heldForPages = 0;
  }

  /** Gives a page's memory back once it is written, unless it is kept. */
  void written(OpenPage page) {
    if (!keepsPages) {
      long dropped = Math.min(page.drop(), heldForPages);
      heldForPages -= dropped;
      memory.release(dropped);
    }
  }

  /** Returns whether pages may take all their usual memory at once. */
  boolean isRoomy() {
    return !memory.isCrowded();
  }

  @Override
  public BytesInput compress(BytesInput page) throws IOException {
    return compressor().compress(page);
  }

  @Override
  public CompressionCodecName getCodecName() {
    return codec;
  }

  /** Does nothing: the tools are the run's. */
  @Override
  public void release() {}
}

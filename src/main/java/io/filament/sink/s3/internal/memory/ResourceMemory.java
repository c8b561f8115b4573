package io.filament.sink.s3.internal.memory;

import java.io.IOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one resource holds of its run's memory. Used by who has the resource's turn, one thread at a
 * time.
 *
 * <p>Memory is reserved before it is allocated, in large pieces: this costs a lock. While something
 * is written out to free memory, what is released stays the resource's, so that the bytes that it
 * becomes find room whatever others do.
 */
public final class ResourceMemory {

  private final Supplier<String> title;

  /**
   * What it holds at least, whatever is written. This and the four below are guarded by the run's
   * memory.
   */
  long leastBytes;

  /** What it holds, credit included. */
  long held;

  /** What it has released while it is written out, and may take again. */
  long credit;

  boolean isBusy;

  /** Said of a resource that a thread is at; that thread reads it. */
  volatile boolean isCutWanted;

  /** Changed only by its thread, or while that waits. */
  boolean hasLastRoom;

  volatile boolean isWritingOut;
  volatile long cuttable;
  volatile long sendable;

  private final RunMemory run;
  private final long startBytes;
  private boolean owesLeast;
  private long waitedNanos;
  private @Nullable Relief relief;
  private @Nullable Turn turn;

  ResourceMemory(RunMemory run, Supplier<String> title, long leastBytes, long startBytes) {
    this.run = run;
    this.title = title;
    this.leastBytes = leastBytes;
    this.startBytes = startBytes;
    this.owesLeast = !run.tryReserve(this, leastBytes, Place.RECORDS);
    if (!owesLeast) {
      credit = startBytes;
    }
  }

  /** Returns memory without a bound, for one resource. */
  public static ResourceMemory unbounded() {
    return new ResourceMemory(RunMemory.unbounded(), () -> "unbounded", 0, 0);
  }

  /** Returns how messages name it. */
  String title() {
    return title.get();
  }

  /** Says how its memory is freed. Called before it is used. */
  public void relievedBy(Relief how) {
    relief = how;
  }

  /** Says how another thread gets to it. Called before it is used. */
  public void takenBy(Turn how) {
    turn = how;
  }

  /** Begins some work on the resource; {@link #leave} ends it. */
  public void enter() throws IOException {
    run.enter(this);
    if (owesLeast) {
      try {
        boolean isThere = false;
        while (!isThere) {
          isThere = run.reserve(this, leastBytes, Place.RECORDS);
        }
      } catch (IOException | RuntimeException | Error e) {
        run.leave(this);
        throw e;
      }
      owesLeast = false;
      run.credit(this, startBytes);
    }
  }

  /** Ends the work that {@link #enter} began. */
  public void leave() {
    run.leave(this);
  }

  /**
   * Takes memory for an encoder, between two of its steps: it may be asked to cut.
   *
   * @return whether the bytes are there; false if the encoder has been cut for them, and may need
   *     another amount now
   * @throws io.filament.sink.SinkException if there is not so much, and nothing can free it
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   */
  public boolean reserve(long bytes) throws IOException {
    return run.reserve(this, bytes, isWritingOut ? Place.WRITING_OUT : Place.ENCODER);
  }

  /**
   * Takes memory for records that are to be encoded, as {@link #reserve} does, and leaves what is
   * the resource's own to their bytes.
   */
  public boolean reserveForRecords(long bytes) throws IOException {
    return run.reserve(this, bytes, Place.RECORDS);
  }

  /** Takes memory for what an encoder has written, as {@link #reserve} does. */
  public void reserveForOutput(long bytes) throws IOException {
    run.reserve(this, bytes, isWritingOut ? Place.WRITING_OUT : Place.OUTPUT);
  }

  /**
   * Takes memory if it is there, or will be with what is in flight.
   *
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   */
  public boolean tryReserveInTime(long bytes) throws IOException {
    return run.reserve(this, bytes, Place.OPTIONAL);
  }

  /** Takes memory if it is there. */
  public boolean tryReserve(long bytes) {
    return run.tryReserve(this, bytes, Place.OUTPUT);
  }

  /** Gives memory back. */
  public void release(long bytes) {
    if (bytes > 0) {
      run.release(this, bytes);
    }
  }

  /**
   * Gives back all but what is left of a resource that takes no more records.
   *
   * @param least what it holds until the run's end
   * @param sendable what its part holds
   */
  public void keepOnly(long least, long sendable) {
    cuttable = 0;
    run.keepOnly(this, least, sendable);
  }

  /** Passes memory on to a part in flight. */
  public void sent(long bytes) {
    run.sent(this, bytes);
  }

  /** Returns how long the resource's threads have waited for memory since the last call. */
  public long takeWaitedNanos() {
    long nanos = waitedNanos;
    waitedNanos = 0;
    return nanos;
  }

  void waited(long nanos) {
    waitedNanos += nanos;
  }

  /** Takes over memory that was spare. */
  public void takeSpare(long bytes) {
    run.takeSpare(this, bytes);
  }

  /**
   * Begins to write something out. From here on nothing waits but for parts in flight, and what is
   * released stays the resource's.
   */
  public void beginWritingOut() {
    isWritingOut = true;
  }

  /**
   * Begins to write something out that may become so many bytes, if there is room for them beside
   * it.
   *
   * @return whether there is; if not, nothing has begun
   */
  public boolean tryBeginWritingOut(long bytes) {
    if (!run.tryReserve(this, bytes, Place.OUTPUT)) {
      return false;
    }
    isWritingOut = true;
    run.release(this, bytes);
    return true;
  }

  /** Returns whether something is being written out. */
  public boolean isWritingOut() {
    return isWritingOut;
  }

  /** Ends it, and gives back what is left. */
  public void endWritingOut() {
    run.endWritingOut(this);
  }

  /** Says how much a cut would free; nothing while the encoder is in the middle of something. */
  public void cuttable(long bytes) {
    cuttable = bytes;
  }

  /** Says how much sending the part early would free. */
  public void sendable(long bytes) {
    sendable = bytes;
  }

  /** Returns whether another thread needs this resource to be cut at its next step. */
  public boolean isCutWanted() {
    return isCutWanted;
  }

  /** Returns whether what nobody needs should be given up rather than kept. */
  public boolean isCrowded() {
    return run.isCrowded();
  }

  /** Returns whether the last of the memory is this resource's. */
  public boolean hasLastRoom() {
    return hasLastRoom;
  }

  /** Passes the last of the memory on. */
  public void passOnLastRoom() {
    run.passOnLastRoom(this);
  }

  /** Cuts the resource, by who has its turn. */
  public void cut() throws IOException {
    relieve(true);
  }

  long freeable(boolean cut) {
    return cut ? cuttable : sendable;
  }

  void relieve(boolean cut) throws IOException {
    Relief how = Objects.requireNonNull(relief, "relief");
    if (cut) {
      isCutWanted = false;
      cuttable = 0;
      how.cut();
    } else {
      sendable = 0;
      how.send();
    }
  }

  void giveUpRecords() {
    if (relief != null) {
      relief.giveUpRecords();
    }
  }

  boolean tryRelieve(boolean cut) throws IOException {
    return turn != null && turn.tryDo(() -> relieve(cut));
  }
}

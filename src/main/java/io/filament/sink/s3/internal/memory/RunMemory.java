package io.filament.sink.s3.internal.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bounds what all resources of one run hold in memory. Any thread may call.
 *
 * <p>What is reserved never exceeds the limit; {@link Shortage} has what a thread does that needs
 * more than is left.
 */
public final class RunMemory {

  static final long MIB = 1 << 20;

  private final long limitBytes;
  private final long marginBytes;
  private final LongSupplier clock;
  private final SpareMemory spare = new SpareMemory(this);
  // All below are guarded by this.
  private final List<ResourceMemory> resources = new ArrayList<>();
  private long held;
  private long peak;
  private long inFlight;
  private long shared;
  private final LastRoom lastRoom = new LastRoom();
  private final Workers workers = new Workers(this);
  private boolean cancelled;

  /**
   * @param limitBytes what is held at most
   * @param marginBytes what of it is only for what is written out to free memory, and may become a
   *     little more than it was
   * @param clock gives nanoseconds, as {@link System#nanoTime} does
   */
  public RunMemory(long limitBytes, long marginBytes, LongSupplier clock) {
    this.limitBytes = limitBytes;
    this.marginBytes = marginBytes;
    this.clock = clock;
  }

  /** Returns memory without a bound. */
  public static RunMemory unbounded() {
    return new RunMemory(Long.MAX_VALUE / 2, 0, System::nanoTime);
  }

  /**
   * Refuses resources that have no room.
   *
   * @param call who needs the room, for the message
   * @param format what the resources are encoded as, for the message
   * @param leastBytes what they hold at least, and what must be left for writing anything
   * @throws IllegalArgumentException with the least limit that would do
   */
  public static void check(
      String call, String format, long limitBytes, int resources, long leastBytes) {
    if (leastBytes > limitBytes) {
      throw new IllegalArgumentException(
          "%s: memory_limit_mib %,d is too little for %,d %s of format %s; the least that would do is %d, for a few records of each; an object of any size takes 5 MiB more"
              .formatted(
                  call,
                  limitBytes / MIB,
                  resources,
                  resources == 1 ? "resource" : "resources",
                  format,
                  (leastBytes + MIB - 1) / MIB));
    }
  }

  /**
   * Refuses one more resource if there is no room for it beside what the others hold at least.
   *
   * @param call who needs the room, for the message
   * @param format what the resources are encoded as, for the message
   * @param leastBytes what it holds at least
   * @param roomBytes what must be left for writing anything
   * @throws IllegalArgumentException with the least limit that would do
   */
  public synchronized void checkRoom(String call, String format, long leastBytes, long roomBytes) {
    long least = marginBytes + shared + leastBytes + roomBytes;
    for (ResourceMemory resource : resources) {
      least += resource.leastBytes;
    }
    check(call, format, limitBytes, resources.size() + 1, least);
  }

  /**
   * Returns the account of a resource.
   *
   * @param title gives how messages name it
   * @param leastBytes what it holds from its first batch on, whatever is written
   * @param startBytes those of them that are for its first bytes
   */
  public synchronized ResourceMemory open(
      Supplier<String> title, long leastBytes, long startBytes) {
    ResourceMemory resource = new ResourceMemory(this, title, leastBytes, startBytes);
    resources.add(resource);
    return resource;
  }

  /** Holds some memory for what resources share, if it is there. */
  public synchronized boolean tryShare(long bytes) {
    if (bytes > limitBytes - marginBytes - held) {
      return false;
    }
    shared += bytes;
    held += bytes;
    peak = Math.max(peak, held);
    return true;
  }

  /** Gives back what was shared. */
  public synchronized void unshare(long bytes) {
    shared -= bytes;
    held -= bytes;
    workers.wake();
  }

  /**
   * Holds some memory for a while, for what goes on without it, if less than three quarters of the
   * limit are held then. {@link #letGo} gives it back.
   */
  public synchronized boolean tryHold(long bytes) {
    if (bytes > limitBytes / 4 * 3 - held) {
      return false;
    }
    held += bytes;
    peak = Math.max(peak, held);
    return true;
  }

  /** Gives back what {@link #tryHold} has got. */
  public synchronized void letGo(long bytes) {
    held -= bytes;
    workers.wake();
  }

  /** Returns what is kept for later. */
  public SpareMemory spare() {
    return spare;
  }

  /** Returns the most that was held. */
  public synchronized long peakBytes() {
    return peak;
  }

  /** Returns what is held. */
  public synchronized long heldBytes() {
    return held;
  }

  /** Returns how often a thread had to wait. */
  public synchronized long waitCount() {
    return workers.waitCount();
  }

  /** Returns the bound. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Returns whether what nobody needs should be given up rather than kept. */
  public synchronized boolean isCrowded() {
    return held > limitBytes / 4 * 3;
  }

  /** Lets go of the resources, once there is nothing more to write. */
  public synchronized void forgetResources() {
    resources.clear();
  }

  /** Refuses what comes and wakes who waits. Idempotent. */
  public synchronized void cancel() {
    cancelled = true;
    workers.wake();
  }

  /** Says that a resource's turn is given away, which a thread may have found taken. */
  public synchronized void turnGivenAway() {
    workers.turnGivenAway();
  }

  /** Gives back what a part in flight has held, once nobody reads it any more. */
  public synchronized void landed(long bytes, long kept) {
    inFlight -= bytes;
    held -= bytes - kept;
    spare.add(kept);
    workers.wake();
  }

  synchronized void sent(ResourceMemory resource, long bytes) {
    resource.held -= bytes;
    inFlight += bytes;
  }

  synchronized void takeSpare(ResourceMemory resource, long bytes) {
    spare.add(-bytes);
    resource.held += bytes;
  }

  synchronized void enter(ResourceMemory resource) {
    resource.isBusy = true;
    workers.begin();
    workers.wake();
  }

  synchronized void leave(ResourceMemory resource) {
    resource.isBusy = false;
    lastRoom.passOn(resource);
    workers.end();
    workers.wake();
  }

  synchronized void release(ResourceMemory resource, long bytes) {
    if (resource.isWritingOut) {
      resource.credit += bytes;
    } else {
      resource.held -= bytes;
      held -= bytes;
      workers.wake();
    }
  }

  synchronized void keepOnly(ResourceMemory resource, long least, long sendable) {
    resource.leastBytes = least;
    release(resource, resource.held - least - sendable);
  }

  synchronized void credit(ResourceMemory resource, long bytes) {
    resource.credit += bytes;
  }

  synchronized void endWritingOut(ResourceMemory resource) {
    resource.isWritingOut = false;
    long left = resource.credit;
    resource.credit = 0;
    release(resource, left);
  }

  /** Takes some bytes if they are there. */
  synchronized boolean tryReserve(ResourceMemory resource, long bytes, Place place) {
    long fromCredit = place == Place.RECORDS ? 0 : Math.min(bytes, resource.credit);
    long more = bytes - fromCredit;
    long margin = place == Place.WRITING_OUT ? 0 : marginBytes;
    if (more > 0 && more > limitBytes - margin - held) {
      return false;
    }
    resource.credit -= fromCredit;
    resource.held += more;
    held += more;
    peak = Math.max(peak, held);
    return true;
  }

  /**
   * Takes some bytes, for which it frees others or waits.
   *
   * @return whether they are there; see {@link Shortage#end}
   */
  boolean reserve(ResourceMemory resource, long bytes, Place place) throws IOException {
    return tryReserveInTurn(resource, bytes, place)
        || new Shortage(this, resource, bytes, place).end();
  }

  private synchronized boolean tryReserveInTurn(ResourceMemory resource, long bytes, Place place) {
    return !isBeforeTurn(resource, bytes, place) && tryReserve(resource, bytes, place);
  }

  /** Passes the last room on, if the resource has it. */
  synchronized void passOnLastRoom(ResourceMemory resource) {
    if (lastRoom.passOn(resource)) {
      workers.wake();
    }
  }

  long nanos() {
    return clock.getAsLong();
  }

  // What follows is for a thread that is short of memory; it has this object's lock.

  /** Returns whether another resource's records should be encoded before these are read. */
  boolean isBeforeTurn(ResourceMemory resource, long bytes, Place place) {
    return place == Place.RECORDS
        && lastRoom.isOfAnother(resource)
        && bytes > limitBytes / 4 * 3 - held;
  }

  boolean isCancelled() {
    return cancelled;
  }

  long marginBytes() {
    return marginBytes;
  }

  Workers workers() {
    return workers;
  }

  LastRoom lastRoom() {
    return lastRoom;
  }

  boolean isPartInFlight() {
    return inFlight > 0;
  }

  List<ResourceMemory> resources() {
    return resources;
  }
}

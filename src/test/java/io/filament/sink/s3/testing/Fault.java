package io.filament.sink.s3.testing;

import java.util.concurrent.CountDownLatch;

/** What {@link FaultServer} does with a request besides, or in the place of, what it should. */
public sealed interface Fault {

  /** Where a request is on its way, in the order of time. */
  enum Point {
    /** The head is read, the body is not. */
    HEAD_READ,
    /** Half of the body is read. */
    IN_BODY,
    /** The request is read and not carried out. */
    REQUEST_READ,
    /** The request is carried out and not answered. */
    CARRIED_OUT,
    /** Half of the answer's head is sent. */
    IN_ANSWER_HEAD,
    /** Half of the answer's body is sent; the end of the head, if there is no body. */
    IN_ANSWER_BODY
  }

  /** What becomes of the bytes of a body. */
  enum Damage {
    /** A bit is flipped before the store checks the body. */
    FLIPPED_ON_THE_WAY,
    /** A bit is flipped after the store has checked the body; what it tells is of the new bytes. */
    FLIPPED,
    /** The last byte is dropped after the store has checked the body. */
    SHORTENED
  }

  /** The connection is cut. */
  record Cut(Point point) implements Fault {}

  /** Nothing happens until the stall is released. */
  record Stalled(Point point, Stall stall) implements Fault {}

  /** The request gets this answer and is not carried out. */
  record Refused(WireAnswer answer) implements Fault {}

  /** The request is carried out and gets this answer. */
  record Misreported(WireAnswer answer) implements Fault {}

  /** The request is answered as if it were carried out. */
  record Forgotten() implements Fault {}

  /** The body is changed. */
  record Damaged(Damage damage) implements Fault {}

  /** The body is read and the answer is sent within a budget. */
  record Slowed(Budget budget) implements Fault {}

  /** Holds requests until it is released. */
  final class Stall {

    private final CountDownLatch reached;
    private final CountDownLatch released = new CountDownLatch(1);

    /** Is reached by one request. */
    public Stall() {
      this(1);
    }

    /** Is reached by so many requests that are held together. */
    public Stall(int requests) {
      reached = new CountDownLatch(requests);
    }

    /** Waits until it is reached. */
    public void awaitReached() throws InterruptedException {
      reached.await();
    }

    /** Returns whether it is or was reached. */
    public boolean isReached() {
      return reached.getCount() == 0;
    }

    /** Lets requests go on, those that come later, too. */
    public void release() {
      released.countDown();
    }

    void hold() throws InterruptedException {
      reached.countDown();
      released.await();
    }
  }

  /** How many bytes may pass. */
  final class Budget {

    // Guarded by this.
    private int left;
    private boolean awaited;

    /** Lets so many more bytes pass. */
    public synchronized void grant(int count) {
      left += count;
      awaited = false;
      notifyAll();
    }

    /** Waits until all bytes have passed and somebody waits for more. */
    public synchronized void awaitSpent() throws InterruptedException {
      while (!awaited) {
        wait();
      }
    }

    /** Waits until at least one byte may pass, and takes up to {@code most}. */
    synchronized int take(int most) throws InterruptedException {
      while (left == 0) {
        awaited = true;
        notifyAll();
        wait();
      }
      int taken = Math.min(left, most);
      left -= taken;
      return taken;
    }
  }
}

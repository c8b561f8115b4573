package io.filament.sink.s3;

import io.filament.sink.s3.internal.store.ObjectStore;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;

/** The bucket of a chaos run: what sinks get of it, what goes wrong in it, and what it holds. */
interface ChaosStore {

  /** Returns what the sinks write through, with all that is built around the client. */
  ObjectStore port();

  /** Puts an object that is another run's. */
  void putNeighbour(String key, byte[] content) throws IOException;

  /** Starts an upload that is another run's. */
  void startNeighbour(String key) throws IOException;

  /** Puts the plan's faults in place; calls are counted from here on. */
  void plan();

  /** Plans that a call hangs. */
  Hang hang(ChaosPlan.Disturbance planned);

  /** Carries out what writers have given up and what is still on its way. */
  void deliverDelayed() throws IOException;

  /** From here on every call does what it should. */
  void heal();

  /** Returns how many faults have struck. */
  int struck();

  String bucket();

  SortedSet<String> keys();

  byte[] content(String key);

  List<Upload> openUploads();

  /**
   * Returns whether the answer that told of this upload was lost, so that no writer can know of it.
   */
  boolean isUntold(Upload upload);

  /** Returns whether a fault has struck a request at such a key, or an answer came too late. */
  boolean isStruckBelow(String prefix);

  /** A call that hangs. */
  interface Hang {

    void awaitReached() throws InterruptedException;

    boolean isReached();

    void release();
  }
}

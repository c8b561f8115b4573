package io.filament.sink.s3.internal.publish;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RunConflictException;
import io.filament.sink.RunManifest;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.object.RequestEnd;
import io.filament.sink.s3.internal.object.RequestPool;
import io.filament.sink.s3.internal.object.StagedObject;
import io.filament.sink.s3.internal.object.StoreReach;
import io.filament.sink.s3.internal.object.UploadContext;
import io.filament.sink.s3.internal.store.Body;
import io.filament.sink.s3.internal.store.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a run valid, in two steps: all objects become visible, then the manifest. The door of this
 * package. Used by one thread.
 */
public final class RunCommitter {

  private static final Logger LOG = LoggerFactory.getLogger(RunCommitter.class);

  private static final int KEYS_IN_A_MESSAGE = 20;

  /** Enough for a healthy store to take a manifest, and short for who waits for an interrupt. */
  private static final Duration LAST_MOMENT = Duration.ofSeconds(2);

  /** As S3 lists keys: by their bytes in UTF-8. */
  private static final Comparator<RunManifest.Entry> BY_KEY =
      Comparator.comparing(
          entry -> entry.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final UploadContext context;
  private final Attempt attempt;
  private final String manifestKey;

  /**
   * @param manifestKey where the manifest goes
   */
  public RunCommitter(UploadContext context, Attempt attempt, String manifestKey) {
    this.context = context;
    this.attempt = attempt;
    this.manifestKey = manifestKey;
  }

  /**
   * Refuses a run that is committed already. A store that doesn't let us look is no reason to
   * refuse: the conditional put of the manifest decides then.
   *
   * @throws RunConflictException if the manifest exists
   */
  public static void checkUncommitted(
      RequestPool requests, ObjectStore store, String manifestKey, String runId)
      throws IOException {
    requests.call(
        () -> {
          checkUncommitted(store, manifestKey, runId);
          return true;
        });
  }

  private static void checkUncommitted(ObjectStore store, String manifestKey, String runId)
      throws IOException {
    try {
      if (store.head(manifestKey).isEmpty()) {
        return;
      }
    } catch (StoreException e) {
      // S3 answers 403 for a key that isn't there to who may not list the bucket.
      if (e.statusCode() == 403) {
        return;
      }
      throw e;
    }
    throw new RunConflictException(
        "HeadObject s3://%s/%s: run \"%s\" is already committed"
            .formatted(store.bucket(), manifestKey, runId));
  }

  /**
   * Finds out whether the store keeps two committers apart, with an object that is taken away
   * again.
   *
   * @param probeKey where that object goes
   * @param isRequired whether a store that doesn't, or of which it can't be found out, is refused
   * @throws StoreException if it is required, and the store fails in a way that may pass
   * @throws SinkException if it is required, and the store doesn't, or shows nothing
   */
  public static void checkConditions(
      RequestPool requests, ObjectStore store, String probeKey, String runId, boolean isRequired)
      throws IOException {
    // An interrupt doesn't leave before the object is gone.
    Optional<SinkException> missing =
        requests.joinOrCancel(requests.submit(() -> store.findConditions(probeKey)), LAST_MOMENT);
    if (missing.isEmpty()) {
      return;
    }
    SinkException why = missing.get();
    if (!isRequired) {
      LOG.warn("run {}: conditional_writes is probe, and {}", runId, why.getMessage());
      return;
    }
    if (why instanceof StoreException) {
      throw why;
    }
    throw new SinkException(
        "open of run \"%s\": conditional_writes is require, and %s"
            .formatted(runId, why.getMessage()),
        why.getCause());
  }

  /**
   * Completes all objects and checks each. If one fails the others are completed all the same: what
   * happened to each is then known. Only a store that can't be reached, still after all tries, is
   * not asked for those that have not begun: each would wait as long again.
   *
   * <p>Another writer of the same run has the same keys, and must not replace an object of ours
   * that a manifest names, nor we one of his. So this looks for the manifest first, and the object
   * of the attempt's claim decides: who makes it goes on and replaces what the other has made
   * meanwhile; who does not, ends.
   *
   * @return their entries, ordered by key
   * @throws RunConflictException if another writer has the run in hand, or has committed it
   * @throws IOException the first failure, with the others and the list of the objects that are
   *     visible now suppressed into it
   */
  public List<RunManifest.Entry> complete(List<StagedObject> objects) throws IOException {
    checkUncommitted(context.requests(), context.store(), manifestKey, attempt.runId());
    ObjectPublisher publisher = new ObjectPublisher(context.store(), attempt);
    Outcome outcome = new Outcome();
    StoreReach reach = new StoreReach();
    List<Future<RunManifest.Entry>> pending = new ArrayList<>(objects.size());
    for (StagedObject object : claimFirst(objects, publisher)) {
      if (reach.isLost()) {
        break;
      }
      try {
        pending.add(context.requests().submit(reach.watched(() -> completed(publisher, object))));
      } catch (IOException e) {
        outcome.failed(e);
        break;
      }
    }
    for (Future<RunManifest.Entry> future : pending) {
      try {
        outcome.entries.add(RequestEnd.of(future));
      } catch (IOException e) {
        outcome.failed(e);
      }
    }
    outcome.throwFailure();
    outcome.entries.sort(BY_KEY);
    return outcome.entries;
  }

  /** The others may wait for it, so it must have a place before them. */
  private static List<StagedObject> claimFirst(
      List<StagedObject> objects, ObjectPublisher publisher) {
    return objects.stream()
        .sorted(Comparator.comparing(object -> !publisher.isClaim(object)))
        .toList();
  }

  /**
   * Publishes the manifest; the run is valid then. An interrupt of the caller, or of the requests,
   * ends the tries soon, and is kept until the outcome is known, as far as it can be.
   *
   * @throws RunConflictException if another writer has committed the run
   * @throws io.filament.sink.CommitStateUnknownException if it can't be known whether the manifest
   *     is published
   * @throws IOException if the manifest was not published
   */
  public RunManifest publish(
      List<RunManifest.Entry> entries, Instant startedAt, ObjectFormat format) throws IOException {
    RunManifest manifest =
        new RunManifest(ManifestJson.VERSION, attempt.runId(), entries, uri(manifestKey));
    Future<Boolean> published =
        context
            .requests()
            .submit(
                () -> {
                  ObjectStore store = context.store();
                  Body json = ManifestJson.body(manifest, startedAt, format, store.profile());
                  new ManifestPublisher(store, attempt, manifestKey, json).publish();
                  return true;
                });
    context.requests().joinOrCancel(published, LAST_MOMENT);
    return manifest;
  }

  private RunManifest.Entry completed(ObjectPublisher publisher, StagedObject object)
      throws IOException {
    long since = context.events().nanos();
    publisher.publish(object);
    String key = object.spec().key();
    RunManifest.Entry entry =
        new RunManifest.Entry(
            object.spec().resource(),
            key,
            uri(key),
            object.rows(),
            object.length(),
            object.crc32c().hex());
    context.events().objectCompleted(entry, object.partCount(), since);
    return entry;
  }

  private String uri(String key) {
    return "s3://" + context.store().bucket() + "/" + key;
  }

  /** Gathers what became of all objects. */
  private static final class Outcome {

    private final List<RunManifest.Entry> entries = new ArrayList<>();
    private Optional<IOException> failure = Optional.empty();

    void failed(IOException e) {
      if (failure.isEmpty()) {
        failure = Optional.of(e);
      } else if (failure.get() != e) {
        failure.get().addSuppressed(e);
      }
    }

    void throwFailure() throws IOException {
      if (failure.isEmpty()) {
        return;
      }
      if (!entries.isEmpty()) {
        String keys =
            entries.stream()
                .limit(KEYS_IN_A_MESSAGE)
                .map(RunManifest.Entry::uri)
                .collect(Collectors.joining(", "));
        failure
            .get()
            .addSuppressed(
                new SinkException(
                    "%d objects are uploaded but not published: %s%s"
                        .formatted(
                            entries.size(),
                            keys,
                            entries.size() > KEYS_IN_A_MESSAGE ? ", ..." : "")));
      }
      throw failure.get();
    }
  }
}

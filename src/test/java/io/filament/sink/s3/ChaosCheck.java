package io.filament.sink.s3;

import io.filament.sink.InvalidRecordException;
import io.filament.sink.RunConflictException;
import io.filament.sink.RunManifest;
import io.filament.sink.SinkException;
import io.filament.sink.StoreException;
import io.filament.sink.s3.internal.publish.ManifestJson;
import io.filament.sink.s3.internal.store.Crc32c;
import io.filament.sink.s3.internal.store.Upload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The invariants of a chaos run, checked on what the store holds and what the writers saw. */
final class ChaosCheck {

  private static final Pattern MISUSE =
      Pattern.compile(
          "(open|write|finish|commit): (run \"run-1\" is (failed; abort it|being committed|committed|aborted)"
              + "|the sink is closed|no run is open|a run is open; commit or abort it first)");
  // A request thread ends as soon as its pool is cancelled; who waits longer has found a leak.
  private static final long THREAD_END_MILLIS = 4_000;

  private final ChaosPlan plan;
  private final ChaosStore store;
  private final ChaosDecoder decoder;
  private final Set<String> violations = new LinkedHashSet<>();

  ChaosCheck(ChaosPlan plan, ChaosStore store, ChaosDecoder decoder) {
    this.plan = plan;
    this.store = store;
    this.decoder = decoder;
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  /** Nothing of another run is touched. */
  void neighbours(List<String> keys, List<Upload> uploads) {
    for (String key : keys) {
      require(
          store.keys().contains(key) && Arrays.equals(store.content(key), ChaosRun.NEIGHBOUR),
          "the neighbour's object is touched: " + key);
    }
    require(
        new HashSet<>(store.openUploads()).containsAll(uploads), "a neighbour's upload is gone");
  }

  /** What must hold once these writers have ended. */
  void end(List<ChaosWriter> writers, List<Upload> known) {
    writers.forEach(this::exceptions);
    uploads(writers, known);
    require(
        store.keys().stream().noneMatch(key -> key.startsWith(ChaosRun.PROBE))
            || store.isStruckBelow(ChaosRun.PROBE),
        "the object that shows what the store makes of conditions is left");
    boolean published = store.keys().contains(ChaosRun.MANIFEST);
    for (ChaosWriter writer : writers) {
      require(writer.manifest().isEmpty() || published, "commit returned and there is no manifest");
    }
    if (published && (!plan.damagesManifest() || anyCommitted(writers))) {
      manifest(writers);
    }
  }

  /** A run that nothing disturbs is committed. */
  void progress(ChaosWriter writer) {
    boolean undisturbed =
        !writer.disturbed()
            && !plan.hasBadRecord()
            && plan.rival() == ChaosPlan.Rival.NONE
            && !plan.earlyCommit()
            && plan.isFaultless();
    require(!undisturbed || writer.manifest().isPresent(), "an undisturbed run is not committed");
  }

  /** A failed run can be written again; a committed one is refused. */
  void again(ChaosWriter writer, boolean committed) {
    if (committed) {
      require(
          writer.thrown().size() == 1
              && writer.thrown().get(0).failure() instanceof RunConflictException,
          "a committed run is opened again: " + writer.thrown());
    } else {
      require(
          writer.manifest().isPresent() && writer.thrown().isEmpty(),
          "the rerun comes to no good end: " + described(writer.thrown()));
    }
  }

  /** No request thread is left. */
  void threads() {
    Thread[] threads = new Thread[64];
    int count = Thread.currentThread().getThreadGroup().enumerate(threads);
    for (Thread thread : Arrays.copyOf(threads, count)) {
      if (thread != Thread.currentThread()) {
        try {
          thread.join(THREAD_END_MILLIS);
        } catch (InterruptedException e) {
          violations.add("the check was interrupted");
        }
        require(!thread.isAlive(), "a thread is left: " + thread.getName());
      }
    }
  }

  private void uploads(List<ChaosWriter> writers, List<Upload> known) {
    StringBuilder said = new StringBuilder();
    writers.forEach(
        writer -> writer.thrown().forEach(thrown -> said.append(thrown.failure().getMessage())));
    for (Upload upload : store.openUploads()) {
      require(
          known.contains(upload) || said.indexOf(upload.id()) >= 0 || store.isUntold(upload),
          "an upload is left and nobody is told: " + upload);
    }
  }

  private void manifest(List<ChaosWriter> writers) {
    RunManifest manifest;
    try {
      manifest =
          ManifestJson.read(
              store.content(ChaosRun.MANIFEST), "s3://" + store.bucket() + "/" + ChaosRun.MANIFEST);
    } catch (IOException | RuntimeException e) {
      violations.add("the manifest can't be read: " + e);
      return;
    }
    for (ChaosWriter writer : writers) {
      require(
          writer.manifest().isEmpty() || writer.manifest().get().equals(manifest),
          "commit returned another manifest than is there");
    }
    for (RunManifest.Entry entry : manifest.resources()) {
      object(entry, writers);
    }
    for (ChaosRows rows : plan.resources()) {
      require(
          !rows.declared()
              || manifest.resources().stream()
                  .anyMatch(entry -> entry.name().equals(rows.resource())),
          "the manifest lacks the resource " + rows.resource());
    }
  }

  private void object(RunManifest.Entry entry, List<ChaosWriter> writers) {
    if (!store.keys().contains(entry.key())) {
      violations.add("the manifest's object is missing: " + entry.key());
      return;
    }
    byte[] content = store.content(entry.key());
    require(content.length == entry.bytes(), "wrong bytes in the manifest: " + entry);
    require(Crc32c.of(content).hex().equals(entry.crc32c()), "wrong CRC32C: " + entry);
    try {
      List<ChaosRows.Row> rows = decoder.rows(plan.format(), plan.compression(), content);
      require(rows.size() == entry.rows(), "wrong rows in the manifest: " + entry);
      Optional<ChaosWriter> committed =
          writers.stream().filter(writer -> writer.manifest().isPresent()).findFirst();
      List<ChaosWriter> candidates = committed.map(List::of).orElse(writers);
      require(
          candidates.stream().anyMatch(writer -> same(rows, writer.acknowledged(entry.name()))),
          "the object has other records than were written: " + entry);
    } catch (IOException | SQLException | RuntimeException e) {
      violations.add("the object can't be decoded: " + entry.key() + ": " + e);
    }
  }

  private boolean same(List<ChaosRows.Row> read, List<ChaosRows.Row> written) {
    return plan.ordered() ? read.equals(written) : sorted(read).equals(sorted(written));
  }

  private static List<ChaosRows.Row> sorted(List<ChaosRows.Row> rows) {
    return rows.stream().sorted(Comparator.comparingLong(ChaosRows.Row::id)).toList();
  }

  private void exceptions(ChaosWriter writer) {
    boolean reason = writer.disturbed() || plan.earlyCommit();
    for (ChaosWriter.Thrown thrown : writer.thrown()) {
      Throwable e = thrown.failure();
      boolean misuse =
          e instanceof IllegalStateException
              && MISUSE.matcher(String.valueOf(e.getMessage())).matches();
      reason |= !misuse;
      require(
          misuse || e instanceof SinkException || e instanceof InterruptedIOException,
          thrown.call() + " threw what is none of ours: " + described(e));
      require(
          !(e instanceof InvalidRecordException) || plan.hasBadRecord(),
          "a good record is refused: " + e);
      named(e);
    }
    require(reason || writer.thrown().isEmpty(), "refused as misuse, without a failure");
  }

  /** A failure of the store says which operation failed, where. */
  private void named(Throwable e) {
    if (e instanceof StoreException failure) {
      require(
          failure.operation() != null
              && store.bucket().equals(failure.bucket())
              && failure.key() != null
              && failure.getMessage().contains(failure.operation() + " s3://" + failure.bucket()),
          "a StoreException without its place: " + described(e));
    }
    for (Throwable suppressed : e.getSuppressed()) {
      named(suppressed);
    }
  }

  private static boolean anyCommitted(List<ChaosWriter> writers) {
    return writers.stream().anyMatch(writer -> writer.manifest().isPresent());
  }

  private void require(boolean met, String violation) {
    if (!met) {
      violations.add(violation);
    }
  }

  private static String described(List<ChaosWriter.Thrown> thrown) {
    StringBuilder text = new StringBuilder();
    thrown.forEach(one -> text.append(one.call()).append(": ").append(described(one.failure())));
    return text.toString();
  }

  private static String described(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}

package io.filament.sink.s3.internal.store;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RunSpec;
import java.util.Objects;
import java.util.Optional;

/**
 * Where the objects of all runs of one configuration go; the one place where a key is spelt:
 *
 * <pre>
 * &lt;prefix&gt;/&lt;resource&gt;/&lt;partition&gt;/&lt;runId&gt;.&lt;ext&gt;
 * &lt;prefix&gt;/_runs/&lt;runId&gt;/_SUCCESS.json
 * </pre>
 *
 * <p>What only finds out what the store does, an upload that is aborted and an object that is
 * deleted, is at {@code <prefix>/_runs/<runId>/_probe}, that of a connection test at {@code
 * <prefix>/_runs/_connection-test/<id>}.
 *
 * <p>Immutable. Every refusal is an {@link IllegalArgumentException}.
 */
public final class KeyLayout {

  private static final int MAX_NORMAL_BYTES = 63;

  private final String bucket;
  private final Optional<String> prefix;
  private final PartitionTemplate partition;

  private KeyLayout(String bucket, Optional<String> prefix, PartitionTemplate partition) {
    this.bucket = Objects.requireNonNull(bucket, "bucket");
    this.prefix = prefix.map(KeyLayout::prefix);
    this.partition = Objects.requireNonNull(partition, "partition");
  }

  /**
   * Returns a layout.
   *
   * @param prefix what stands before the resource folders, an empty one for nothing; without one
   *     the run's source name decides
   */
  public static KeyLayout of(String bucket, Optional<String> prefix, PartitionTemplate partition) {
    return new KeyLayout(bucket, prefix, partition);
  }

  /** Returns a configured prefix as it stands in keys: without slashes at its ends, and checked. */
  public static String prefix(String configured) {
    String prefix = KeyRules.withoutOuterSlashes(configured);
    KeyRules.checkPath("the prefix", prefix);
    KeyRules.checkLength("the prefix", prefix);
    return prefix;
  }

  /**
   * Returns the normal form of a source's name: ASCII lower case, each run of other characters one
   * {@code _}, none at the ends, one before a leading digit, at most 63 bytes. The normal form of a
   * normal form is itself.
   */
  public static String normalized(String sourceName) {
    StringBuilder normal = new StringBuilder();
    for (int i = 0; i < sourceName.length(); i++) {
      char c = sourceName.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        normal.append((char) (c - 'A' + 'a'));
      } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        normal.append(c);
      } else if (!normal.isEmpty() && normal.charAt(normal.length() - 1) != '_') {
        normal.append('_');
      }
    }
    if (!normal.isEmpty() && normal.charAt(0) <= '9') {
      normal.insert(0, '_');
    }
    normal.setLength(Math.min(normal.length(), MAX_NORMAL_BYTES));
    // The cut may have bared a second "_".
    if (!normal.isEmpty() && normal.charAt(normal.length() - 1) == '_') {
      normal.setLength(normal.length() - 1);
    }
    return normal.toString();
  }

  String bucket() {
    return bucket;
  }

  /**
   * Returns where a connection test starts an upload: below the prefix, where the credentials may
   * write, and in a folder that query engines skip. There is never an object at this key; there may
   * be one for a while at a key that begins with it.
   *
   * @param id differs from that of every other test
   */
  S3Location connectionTest(String id) {
    return new S3Location(bucket, top() + RunKeys.RUNS_FOLDER + "/_connection-test/" + id);
  }

  /**
   * Returns what the keys of runs begin with, as far as that is known without a run: the prefix and
   * a slash, or nothing.
   */
  String top() {
    return prefix.filter(text -> !text.isEmpty()).map(text -> text + "/").orElse("");
  }

  /** Returns whether each run's source name decides what its keys begin with. */
  boolean isOfSource() {
    return prefix.isEmpty();
  }

  /** Returns the keys of a run, whose declared resources are checked at once. */
  public RunKeys forRun(RunSpec run, ObjectFormat format) {
    RunKeys keys = new RunKeys(bucket, prefixOf(run), partition, run, format);
    run.resources().forEach(keys::declare);
    return keys;
  }

  private String prefixOf(RunSpec run) {
    if (prefix.isPresent()) {
      return prefix.get();
    }
    String sourceName = run.sourceName().orElse("");
    String normal = normalized(sourceName);
    if (normal.isEmpty() && !sourceName.isEmpty()) {
      throw new IllegalArgumentException(
          "the source name "
              + VisibleText.quoted(sourceName)
              + " has no ASCII letter or digit that could name a prefix; set prefix");
    }
    return normal;
  }
}

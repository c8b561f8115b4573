package io.filament.sink.s3.internal.store;

import io.filament.sink.ObjectFormat;
import io.filament.sink.RunSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The places of one run's objects. Any thread may call. */
public final class RunKeys {

  static final String RUNS_FOLDER = "_runs";
  private static final String MANIFEST_NAME = "_SUCCESS.json";
  private static final String PROBE_NAME = "_probe";

  private final String bucket;
  private final String prefix;
  private final PartitionTemplate partition;
  private final RunSpec run;
  private final String fileName;
  private final S3Location manifest;
  private final S3Location probe;
  private final Map<String, S3Location> objectsByName = new HashMap<>();
  private final Map<String, String> namesByFolder = new HashMap<>();

  RunKeys(
      String bucket, String prefix, PartitionTemplate partition, RunSpec run, ObjectFormat format) {
    KeyRules.checkName("the run id", run.runId());
    this.bucket = bucket;
    this.prefix = prefix;
    this.partition = partition;
    this.run = run;
    this.fileName = run.runId() + format.extension();
    this.manifest = place("the key of the manifest", RUNS_FOLDER, run.runId(), MANIFEST_NAME);
    this.probe = place("the key of the probe", RUNS_FOLDER, run.runId(), PROBE_NAME);
  }

  /**
   * Takes a resource's folder for it and returns where its object goes.
   *
   * @throws IllegalArgumentException if its folder makes no valid key, or if its name or folder is
   *     taken; nothing is changed then
   */
  public S3Location declare(RunSpec.Resource resource) {
    S3Location object = place(resource);
    synchronized (objectsByName) {
      if (objectsByName.containsKey(resource.name())) {
        throw new IllegalArgumentException(named(resource) + " is declared twice");
      }
      String other = namesByFolder.putIfAbsent(resource.folder(), resource.name());
      if (other != null) {
        throw new IllegalArgumentException(
            "resources "
                + VisibleText.quoted(other)
                + " and "
                + VisibleText.quoted(resource.name())
                + " must not share the folder "
                + VisibleText.quoted(resource.folder()));
      }
      objectsByName.put(resource.name(), object);
    }
    return object;
  }

  /**
   * Returns where the object of a declared resource goes.
   *
   * @throws IllegalArgumentException if the resource is not declared
   */
  public S3Location object(RunSpec.Resource resource) {
    synchronized (objectsByName) {
      S3Location object = objectsByName.get(resource.name());
      if (object == null) {
        throw new IllegalArgumentException(named(resource) + " is not declared");
      }
      return object;
    }
  }

  /** Returns the first key of the resources that are declared: the same for all writers of them. */
  public Optional<String> claim() {
    synchronized (objectsByName) {
      return objectsByName.values().stream().map(S3Location::key).min(Comparator.naturalOrder());
    }
  }

  /** Returns where the manifest goes. */
  public S3Location manifest() {
    return manifest;
  }

  /**
   * Returns where an upload goes that finds out the store's checksums, and, if somebody asks for
   * it, for a moment an object that finds out what it makes of conditions.
   */
  public S3Location probe() {
    return probe;
  }

  private S3Location place(RunSpec.Resource resource) {
    String folder = resource.folder();
    String what = "a resource's folder, by default its name,"; // which the message ends with
    if (!folder.equals(resource.name())) {
      KeyRules.checkUnicode("the name of " + named(resource), resource.name());
      what = "the folder of " + named(resource);
    }
    KeyRules.checkName(what, folder);
    if (folder.startsWith("_") || folder.startsWith(".")) {
      throw new IllegalArgumentException(
          what
              + " must not begin with \"_\" or \".\", since query engines skip such folders: "
              + VisibleText.quoted(folder));
    }
    String rendered =
        partition.render(new PartitionTemplate.Values(run.startedAt(), folder, run.runId()));
    return place("the key of " + named(resource), folder, rendered, fileName);
  }

  private static String named(RunSpec.Resource resource) {
    return "resource " + VisibleText.quoted(resource.name());
  }

  private S3Location place(String what, String... segments) {
    String key =
        Stream.concat(Stream.of(prefix), Stream.of(segments))
            .filter(segment -> !segment.isEmpty())
            .collect(Collectors.joining("/"));
    KeyRules.checkLength(what, key);
    return new S3Location(bucket, key);
  }
}

package io.filament.sink.s3.testing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Adobe's S3Mock in a process of its own, on a free port of 127.0.0.1.
 *
 * <p>It is the second opinion on multipart uploads and whole-object checksums. It does not check
 * signatures, and its conditional writes are not atomic, so it says nothing about races. The build
 * puts its jar into {@code target/s3mock} in the phase {@code process-test-classes}.
 */
public final class S3MockServer implements AutoCloseable {

  private static final Path FOLDER = Path.of("target", "s3mock");

  /**
   * What Spring Boot prints once the server answers: {@code Tomcat started on ports 34081 (http),
   * 43941 (http) ...}. The first port is the main connector's.
   */
  private static final Pattern STARTED = Pattern.compile("Tomcat started on ports? (.*)");

  private static final Pattern PORT = Pattern.compile("([0-9]+) [(]http[)]");

  private static final int START_SECONDS = 120;

  private final Process process;
  private final Path files;
  private final List<Integer> ports;
  private final S3Endpoint endpoint;

  private S3MockServer(Process process, Path files, List<Integer> ports) {
    this.process = process;
    this.files = files;
    this.ports = ports;
    this.endpoint =
        new S3Endpoint(
            "S3Mock",
            URI.create("http://127.0.0.1:" + ports.get(0)),
            "any-access-key",
            "any-secret-key",
            S3Endpoint.DEFAULT_REGION);
  }

  /** Starts a server and waits until it answers. The caller closes it. */
  public static S3MockServer start() {
    Path jar = FOLDER.resolve("s3mock-exec.jar");
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(
          jar.toAbsolutePath() + " is missing; mvn process-test-classes puts it there");
    }
    try {
      Path files = Files.createTempDirectory(FOLDER.toAbsolutePath(), "files");
      Process process = new ProcessBuilder(command(jar, files)).redirectErrorStream(true).start();
      try {
        return new S3MockServer(process, files, awaitPorts(process));
      } catch (RuntimeException e) {
        process.destroyForcibly();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("S3Mock does not start", e);
    }
  }

  private static List<String> command(Path jar, Path files) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx192m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djava.net.preferIPv4Stack=true",
        "-Djava.io.tmpdir=" + files,
        LoopbackSelectorProvider.JVM_ARGUMENT,
        "-cp",
        jar + File.pathSeparator + folderOfThisClass(),
        S3MockMain.class.getName(),
        // Without TLS the main connector is the one whose address can be set.
        "--server.ssl.enabled=false",
        "--server.address=127.0.0.1",
        "--server.port=0",
        "--http.port=0",
        "--spring.main.banner-mode=off",
        "--com.adobe.testing.s3mock.store.root=" + files.resolve("objects"));
  }

  private static Path folderOfThisClass() {
    try {
      return Path.of(
          S3MockServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("The test classes are in no folder", e);
    }
  }

  /** Reads what the process prints, for as long as it lives, and waits for the line that counts. */
  private static List<Integer> awaitPorts(Process process) {
    CompletableFuture<List<Integer>> ports = new CompletableFuture<>();
    Thread reader = new Thread(() -> readOutput(process, ports), "s3mock-output");
    reader.setDaemon(true);
    reader.start();
    try {
      return ports.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("S3Mock took more than " + START_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while S3Mock started", e);
    }
  }

  private static void readOutput(Process process, CompletableFuture<List<Integer>> ports) {
    StringBuilder untilStarted = new StringBuilder();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher started = STARTED.matcher(line);
        if (started.find()) {
          ports.complete(
              PORT.matcher(started.group(1))
                  .results()
                  .map(port -> Integer.valueOf(port.group(1)))
                  .toList());
        } else if (!ports.isDone()) {
          untilStarted.append(line).append('\n');
        }
      }
    } catch (IOException e) {
      untilStarted.append(e).append('\n');
    }
    ports.completeExceptionally(
        new IllegalStateException("S3Mock ended before it answered:\n" + untilStarted));
  }

  /** Gives the endpoint of the one server that all tests of this JVM share. */
  static S3Endpoint shared() {
    return Shared.SERVER.endpoint();
  }

  /** Gives every port that the process listens on. */
  List<Integer> ports() {
    return ports;
  }

  /** Gives where the server listens, and keys for it. */
  public S3Endpoint endpoint() {
    return endpoint;
  }

  /** Ends the process and deletes its files. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    try (Stream<Path> tree = Files.walk(files)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("S3Mock's files stay in " + files, e);
    }
  }

  /** Holds the server that lives as long as the JVM. */
  private static final class Shared {
    static final S3MockServer SERVER = startUntilExit();

    private static S3MockServer startUntilExit() {
      S3MockServer server = start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "s3mock-close"));
      return server;
    }
  }
}

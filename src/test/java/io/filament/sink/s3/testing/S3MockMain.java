package io.filament.sink.s3.testing;

import java.io.IOException;

/**
 * Runs S3Mock; the main class of its own process.
 *
 * <p>The class path is S3Mock's jar and the folder of this class. The process ends when its
 * standard input does, so it can't outlive the tests that started it, however they end.
 */
public final class S3MockMain {

  private static final String LAUNCHER = "org.springframework.boot.loader.launch.JarLauncher";

  private S3MockMain() {}

  /** Starts S3Mock with these arguments of Spring Boot. */
  public static void main(String[] args) throws ReflectiveOperationException {
    Thread watch = new Thread(S3MockMain::endWithStandardInput, "end-with-standard-input");
    watch.setDaemon(true);
    watch.start();
    LoopbackSelectorProvider.install();
    Class.forName(LAUNCHER).getMethod("main", String[].class).invoke(null, (Object) args);
  }

  private static void endWithStandardInput() {
    try {
      while (System.in.read() >= 0) {
        // Nobody writes here; only the end counts.
      }
    } catch (IOException e) {
      // A broken pipe is an end too.
    }
    Runtime.getRuntime().halt(0);
  }
}

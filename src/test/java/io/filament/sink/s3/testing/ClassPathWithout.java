package io.filament.sink.s3.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Runs a host whose class path lacks a library that is optional. */
public final class ClassPathWithout {

  private ClassPathWithout() {}

  /**
   * Calls a host, which must be public and have a public constructor without arguments.
   *
   * @param jarPrefix what the names of the missing jars begin with
   * @param missing a class of theirs
   */
  public static Object jars(String jarPrefix, String missing, Class<? extends Callable<?>> host)
      throws Exception {
    List<URL> urls = new ArrayList<>();
    int all = 0;
    for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator))) {
      all++;
      if (!Path.of(entry).getFileName().toString().startsWith(jarPrefix)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    assertThat(urls).hasSizeLessThan(all);
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertThat(canLoad(loader, missing)).isFalse();
      Callable<?> called =
          (Callable<?>) loader.loadClass(host.getName()).getDeclaredConstructor().newInstance();
      return called.call();
    }
  }

  private static boolean canLoad(ClassLoader loader, String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}

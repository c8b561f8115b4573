package io.filament.sink.s3.internal.encode;

import java.io.IOException;
import java.util.function.Supplier;
import org.xerial.snappy.SnappyError;

/** The native libraries of the codecs, each unpacked from its jar when it is first used. */
enum NativeLibrary {
  SNAPPY("snappy", "snappy-java", "org.xerial.snappy.tempdir"),
  ZSTD("zstd", "zstd-jni", "ZstdTempFolder");

  private final String compression;
  private final String jar;
  private final String folderProperty;

  NativeLibrary(String compression, String jar, String folderProperty) {
    this.compression = compression;
    this.jar = jar;
    this.folderProperty = folderProperty;
  }

  /**
   * Returns what {@code first}, the first to need the library, makes.
   *
   * @throws IOException if the library can't be loaded, with the way out
   */
  <T> T load(Supplier<T> first) throws IOException {
    try {
      return first.get();
    } catch (LinkageError | SnappyError e) {
      // The first use fails in an initializer, later ones because the class is missing.
      String folder = System.getProperty(folderProperty, System.getProperty("java.io.tmpdir"));
      throw new IOException(
          "compression "
              + compression
              + ": the native library of "
              + jar
              + " can't be loaded; it is unpacked into \""
              + folder
              + "\" (java.io.tmpdir, or "
              + folderProperty
              + "), which must allow writing and execution, on an operating system that "
              + jar
              + " supports: "
              + e,
          e);
    }
  }
}

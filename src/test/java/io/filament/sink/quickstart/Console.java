package io.filament.sink.quickstart;

import java.io.PrintStream;
import java.nio.charset.Charset;

/** Where the quickstart shows what it does. */
final class Console {

  private final PrintStream out;
  private final Charset charset;
  private boolean isLineOpen;

  /**
   * @param charset what the reader's terminal can show
   */
  Console(PrintStream out, Charset charset) {
    this.out = out;
    this.charset = charset;
  }

  /** Returns the console of this process. */
  static Console ofProcess() {
    return new Console(System.out, Charset.forName(System.getProperty("native.encoding")));
  }

  Charset charset() {
    return charset;
  }

  /** Shows text as it is. */
  void text(String text) {
    endLine();
    out.println(text);
  }

  void title(String text) {
    text(System.lineSeparator() + text);
  }

  /** Shows a line below a title. */
  void line(String text) {
    text(("   " + text).stripTrailing());
  }

  /** Begins a line below a title, which {@link #more} goes on with. */
  void begin(String text) {
    endLine();
    isLineOpen = true;
    more("   " + text);
  }

  void more(String text) {
    out.print(text);
    out.flush();
  }

  private void endLine() {
    if (isLineOpen) {
      isLineOpen = false;
      out.println();
    }
  }
}

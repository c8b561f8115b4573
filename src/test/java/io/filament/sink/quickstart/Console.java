package io.filament.sink.quickstart;

import java.io.PrintStream;
import java.nio.charset.Charset;

/** Where the quickstart shows what it does. */
final class Console {

  private final PrintStream out;
  private final Charset charset;
  private final boolean isTerminal;
  private boolean isLineOpen;
  private int statusLength;

  private Console(PrintStream out, Charset charset, boolean isTerminal) {
    this.out = out;
    this.charset = charset;
    this.isTerminal = isTerminal;
  }

  /**
   * Returns a console whose lines stay as they are, as those of a file.
   *
   * @param charset what the reader's terminal can show
   */
  static Console plain(PrintStream out, Charset charset) {
    return new Console(out, charset, false);
  }

  /** Returns a console whose last line can be written over. */
  static Console terminal(PrintStream out, Charset charset) {
    return new Console(out, charset, true);
  }

  /** Returns the console of this process. */
  static Console ofProcess() {
    return new Console(
        System.out, Charset.forName(System.getProperty("native.encoding")), isTerminal());
  }

  /** From Java 22 on there is a console for a file, too; it says that it is no terminal. */
  @SuppressWarnings("SystemConsoleNull") // both kinds of Java are asked
  private static boolean isTerminal() {
    java.io.Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true; // before Java 22
    }
  }

  /** Returns whether {@link #status} can write over what it has written. */
  boolean canRewrite() {
    return isTerminal;
  }

  /** Shows a line below a title in the place of the one that it has shown before. */
  void status(String text) {
    if (statusLength == 0) {
      endLine();
      isLineOpen = true;
    }
    String line = "   " + text;
    out.print("\r" + line + " ".repeat(Math.max(0, statusLength - line.length())));
    out.flush();
    statusLength = line.length();
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
      statusLength = 0;
      out.println();
    }
  }
}

package io.filament.sink.s3.internal.store;

import java.util.PrimitiveIterator;

/** Texts of users in messages. */
public final class VisibleText {

  private static final int MAX_SHOWN_CHARS = 120;

  private VisibleText() {}

  /** Returns the text in quotes, its invisible characters as escapes, and not too long. */
  public static String quoted(String text) {
    StringBuilder shown = new StringBuilder("\"");
    PrimitiveIterator.OfInt codePoints = text.codePoints().iterator();
    while (codePoints.hasNext()) {
      if (shown.length() > MAX_SHOWN_CHARS) {
        return shown.append("...\"").toString();
      }
      int codePoint = codePoints.nextInt();
      if (isInvisible(codePoint)) {
        shown.append("\\u%04X".formatted(codePoint));
      } else {
        shown.appendCodePoint(codePoint);
      }
    }
    return shown.append('"').toString();
  }

  /**
   * Returns whether it is a control character or half a surrogate pair, which has no UTF-8 form.
   */
  static boolean isInvisible(int codePoint) {
    return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
  }
}

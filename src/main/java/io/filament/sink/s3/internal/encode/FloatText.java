package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * The text of floating-point numbers: the fewest digits from which the same number is read again,
 * plain from 1E-7 to below 1E21 with at least one digit after the point, scientific elsewhere.
 */
final class FloatText {

  private static final int MIN_PLAIN_EXPONENT = -7;
  private static final int MAX_PLAIN_EXPONENT = 20;

  private FloatText() {}

  /** Writes with Jackson's Schubfach, because Double.toString gives more digits before JDK 19. */
  static void put(double value, TextBuffer to) {
    layOut(NumberOutput.toString(value, true), to);
  }

  /** See {@link #put(double, TextBuffer)}. */
  static void put(float value, TextBuffer to) {
    layOut(NumberOutput.toString(value, true), to);
  }

  /** Puts Java's form of a number, such as {@code -1.25E10}, or its name if it is no number. */
  private static void layOut(String text, TextBuffer to) {
    int e = text.indexOf('E');
    int exponent = e < 0 ? 0 : Integer.parseInt(text, e + 1, text.length(), 10);
    if (e < 0 || exponent < MIN_PLAIN_EXPONENT || exponent > MAX_PLAIN_EXPONENT) {
      to.put(text);
      return;
    }
    int first = text.charAt(0) == '-' ? 1 : 0;
    to.put(text, 0, first);
    // Java's form has one digit before the point, and "0" after it where nothing else is there.
    int fraction = first + 2;
    int fractionEnd = text.startsWith("0E", fraction) ? fraction : e;
    if (exponent < 0) {
      to.put("0.");
      to.putZeros(-exponent - 1);
      to.put(text.charAt(first));
      to.put(text, fraction, fractionEnd);
      return;
    }
    int point = Math.min(fractionEnd, fraction + exponent);
    to.put(text.charAt(first));
    to.put(text, fraction, point);
    to.putZeros(exponent - (point - fraction));
    to.put('.');
    to.put(text, point, fractionEnd);
    if (point == fractionEnd) {
      to.put('0');
    }
  }
}

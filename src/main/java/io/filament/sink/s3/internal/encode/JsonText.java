package io.filament.sink.s3.internal.encode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * JSON text (RFC 8259) as a value: checked, and written on one line. The order of names, repeated
 * names, the digits of numbers and the escapes of strings stay as they are.
 */
final class JsonText {

  /**
   * Jackson and other readers take 1,000 levels unless told otherwise; the record around the value,
   * and what the record's fields nest, need some of them.
   */
  static final int MAX_DEPTH = 900;

  /** The length of an escape such as {@code \}{@code ufffd}. */
  private static final int ESCAPE_LENGTH = 6;

  /**
   * Names are not kept in Jackson's symbol table: it would grow with the records. Only the depth is
   * bounded, since the text is in memory already and nothing is made of its numbers.
   */
  private final JsonFactory factory =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .recyclerPool(JsonRecyclerPools.newBoundedPool(1))
          .build();

  /** Refuses bytes that are not one JSON value. They are well-formed UTF-8. */
  void check(byte[] bytes, int from, int to) {
    if (looksLikeAnotherEncoding(bytes, from, to)) {
      throw unfit(bytes, from, to, "it begins with a byte order mark or has a zero byte");
    }
    try (JsonParser parser = factory.createParser(bytes, from, to - from)) {
      if (parser.nextToken() == null) {
        throw unfit(bytes, from, to, "there is no value");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw unfit(bytes, from, to, "something follows the value");
      }
    } catch (StreamConstraintsException e) { // depth is the one bound that is set
      throw new UnfitValueException(
          Excerpt.ofUtf8(bytes, from, to) + " is nested deeper than " + MAX_DEPTH + " levels");
    } catch (JsonProcessingException e) {
      throw unfit(bytes, from, to, Excerpt.shortened(e.getOriginalMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  /**
   * Jackson guesses an encoding from the first four bytes and would read what RFC 8259 doesn't
   * allow here. Neither a mark nor a zero byte is JSON in UTF-8.
   */
  private static boolean looksLikeAnotherEncoding(byte[] bytes, int from, int to) {
    for (int i = from; i < Math.min(to, from + 4); i++) {
      if (bytes[i] == 0) {
        return true;
      }
    }
    return from < to && bytes[from] == (byte) 0xEF;
  }

  private static UnfitValueException unfit(byte[] bytes, int from, int to, String reason) {
    return new UnfitValueException(
        Excerpt.ofUtf8(bytes, from, to) + " is not one JSON value: " + reason);
  }

  /** Removes white space between tokens from a JSON value, in place, and returns its end then. */
  static int compact(byte[] bytes, int from, int to) {
    int end = from;
    boolean inString = false;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (inString && b == '\\') {
        bytes[end++] = b;
        bytes[end++] = bytes[++i];
        continue;
      }
      inString ^= b == '"';
      if (inString || !isWhiteSpace(b)) {
        bytes[end++] = b;
      }
    }
    return end;
  }

  private static boolean isWhiteSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /**
   * Turns escaped surrogates without their partners into escapes of U+FFFD, as it goes with those
   * of a STRING: readers refuse the whole line for one. The text need not be JSON yet.
   */
  static void mendSurrogates(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != '\\') {
        continue;
      }
      int unit = escapedUnit(bytes, i, to);
      if (unit < 0 || !Character.isSurrogate((char) unit)) {
        i++;
      } else if (isPair(unit, escapedUnit(bytes, i + ESCAPE_LENGTH, to))) {
        i += 2 * ESCAPE_LENGTH - 1;
      } else {
        for (int j = 2; j < ESCAPE_LENGTH; j++) {
          bytes[i + j] = (byte) "\\ufffd".charAt(j);
        }
        i += ESCAPE_LENGTH - 1;
      }
    }
  }

  private static boolean isPair(int first, int second) {
    return second >= 0
        && Character.isHighSurrogate((char) first)
        && Character.isLowSurrogate((char) second);
  }

  /** Returns the UTF-16 unit whose escape begins here, or -1 if none does. */
  private static int escapedUnit(byte[] bytes, int at, int to) {
    if (to - at < ESCAPE_LENGTH || bytes[at] != '\\' || bytes[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = 2; i < ESCAPE_LENGTH; i++) {
      int digit = Character.digit(bytes[at + i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = (unit << 4) | digit;
    }
    return unit;
  }
}

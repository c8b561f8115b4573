package io.filament.sink.s3.internal.store;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Formats instants in UTC as Go's {@code time.Time.Format} does. Every text is a layout: what is no
 * element of one stands for itself. Immutable.
 */
final class GoTimeLayout {

  private final List<Piece> pieces;

  private GoTimeLayout(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  static GoTimeLayout parse(String layout) {
    List<Piece> pieces = new ArrayList<>();
    int literal = 0;
    int position = 0;
    while (position < layout.length()) {
      Optional<Piece> piece = pieceAt(layout, position);
      if (piece.isEmpty()) {
        position++;
        continue;
      }
      pieces.add(new Literal(layout.substring(literal, position)));
      pieces.add(piece.get());
      position += piece.get().length();
      literal = position;
    }
    pieces.add(new Literal(layout.substring(literal)));
    return new GoTimeLayout(pieces);
  }

  /**
   * Returns the instant in this layout.
   *
   * @throws IllegalArgumentException if the instant's year lies outside those of {@link
   *     LocalDateTime}
   */
  String format(Instant instant) {
    LocalDateTime utc = utc(instant);
    StringBuilder out = new StringBuilder();
    for (Piece piece : pieces) {
      out.append(piece.print(utc));
    }
    return out.toString();
  }

  private static LocalDateTime utc(Instant instant) {
    try {
      return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "the instant "
              + instant
              + " lies outside the years "
              + LocalDateTime.MIN.getYear()
              + " to "
              + LocalDateTime.MAX.getYear(),
          e);
    }
  }

  private static Optional<Piece> pieceAt(String layout, int position) {
    Optional<Piece> fraction = Fraction.at(layout, position);
    return fraction.isPresent() ? fraction : GoTimeElement.at(layout, position);
  }

  /** A part of a layout. */
  sealed interface Piece permits Literal, Fraction, GoTimeElement {
    /** Returns how many characters of the layout it takes. */
    int length();

    String print(LocalDateTime utc);
  }

  private record Literal(String text) implements Piece {

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public String print(LocalDateTime utc) {
      return text;
    }
  }

  /**
   * The fraction of a second: a point or comma with zeros (so many digits) or nines (at most so
   * many, and none if it is zero), unless another digit follows.
   */
  private record Fraction(char separator, char digit, int count) implements Piece {

    private static final int NANO_DIGITS = 9;
    // Go keeps the count in 12 bits.
    private static final int COUNT_MASK = 0xfff;

    static Optional<Piece> at(String layout, int position) {
      char separator = layout.charAt(position);
      int first = position + 1;
      if ((separator != '.' && separator != ',') || first == layout.length()) {
        return Optional.empty();
      }
      char digit = layout.charAt(first);
      if (digit != '0' && digit != '9') {
        return Optional.empty();
      }
      int end = first;
      while (end < layout.length() && layout.charAt(end) == digit) {
        end++;
      }
      return isDigit(layout, end)
          ? Optional.empty()
          : Optional.of(new Fraction(separator, digit, end - first));
    }

    @Override
    public int length() {
      return 1 + count;
    }

    @Override
    public String print(LocalDateTime utc) {
      int digits = Math.min(count & COUNT_MASK, NANO_DIGITS);
      String nanos =
          Integer.toString(1_000_000_000 + utc.get(ChronoField.NANO_OF_SECOND))
              .substring(1, 1 + digits);
      if (digit == '0') {
        return separator + nanos;
      }
      String trimmed = nanos.replaceFirst("0+$", "");
      return trimmed.isEmpty() ? "" : separator + trimmed;
    }

    private static boolean isDigit(String layout, int position) {
      return position < layout.length()
          && layout.charAt(position) >= '0'
          && layout.charAt(position) <= '9';
    }
  }
}

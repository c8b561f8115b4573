package io.filament.sink.s3.internal.encode;

import io.filament.sink.Column;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Intakes of the types that are kept as bytes: texts, and BYTES itself. */
final class TextIntakes {

  private TextIntakes() {}

  /** Puts a value's text into the vector, checks it there and brings it into its one form. */
  private abstract static class OfText implements Intake.OfBytes {

    private final Vector.Bytes to;

    OfText(Vector.Bytes to) {
      this.to = to;
    }

    @Override
    public final void take(Object value) {
      Utf8.put(text(value), to);
      end();
    }

    @Override
    public final Column.BytesTarget target() {
      return to;
    }

    @Override
    public void endBytes() {
      checkBytes(to.array(), to.start(to.size()), to.position());
      end();
    }

    private void end() {
      canonicalize(to, to.start(to.size()));
      to.endValue();
    }

    /** Returns the text of a value, or refuses its class. */
    abstract CharSequence text(Object value);

    /** Refuses bytes that a host gave and that are not UTF-8. */
    abstract void checkBytes(byte[] bytes, int from, int end);

    /** Refuses or rewrites the text that was put from {@code start} on. */
    abstract void canonicalize(Vector.Bytes to, int start);

    static CharSequence textOnly(Object value, String rule) {
      if (!(value instanceof CharSequence text)) {
        throw Intake.wrongClass(rule, value);
      }
      return text;
    }
  }

  static final class OfString extends OfText {

    private final Vector.Bytes to;

    OfString(Vector.Bytes to) {
      super(to);
      this.to = to;
    }

    @Override
    CharSequence text(Object value) {
      return textOnly(value, "STRING takes a CharSequence");
    }

    @Override
    public boolean keepsBytes() {
      return true;
    }

    @Override
    public void endBytes() {
      to.endValue();
    }

    @Override
    public void checkEnded(int first) {
      Utf8.check(to, first);
    }

    @Override
    void checkBytes(byte[] bytes, int from, int end) {
      Utf8.check(bytes, from, end);
    }

    @Override
    void canonicalize(Vector.Bytes to, int start) {}
  }

  static final class OfJson extends OfText {

    private final JsonText json = new JsonText();

    OfJson(Vector.Bytes to) {
      super(to);
    }

    @Override
    CharSequence text(Object value) {
      return textOnly(value, "JSON takes JSON text");
    }

    @Override
    void checkBytes(byte[] bytes, int from, int end) {
      Utf8.check(bytes, from, end);
    }

    @Override
    void canonicalize(Vector.Bytes to, int start) {
      JsonText.mendSurrogates(to.array(), start, to.position());
      json.check(to.array(), start, to.position());
      to.position(JsonText.compact(to.array(), start, to.position()));
    }
  }

  static final class OfUuid extends OfText {

    OfUuid(Vector.Bytes to) {
      super(to);
    }

    @Override
    CharSequence text(Object value) {
      return value instanceof UUID uuid
          ? uuid.toString()
          : textOnly(value, "UUID takes a UUID or its text");
    }

    /** The check of the form finds everything that is not ASCII. */
    @Override
    void checkBytes(byte[] bytes, int from, int end) {}

    @Override
    void canonicalize(Vector.Bytes to, int start) {
      UuidText.canonicalize(to.array(), start, to.position());
    }
  }

  static final class OfNumeric extends OfText {

    private final NumericText numeric = new NumericText();

    OfNumeric(Vector.Bytes to) {
      super(to);
    }

    /** The text of a number has all its digits and no more, however large its exponent is. */
    @Override
    CharSequence text(Object value) {
      return value instanceof BigDecimal
              || value instanceof BigInteger
              || NumberIntakes.isSmallWhole(value)
          ? value.toString()
          : textOnly(value, "NUMERIC takes a BigDecimal or its text");
    }

    /** The check of the form finds everything that is not ASCII. */
    @Override
    void checkBytes(byte[] bytes, int from, int end) {}

    @Override
    void canonicalize(Vector.Bytes to, int start) {
      numeric.canonicalize(to, start);
    }
  }

  /** BYTES: anything, as it is. */
  record OfBinary(Vector.Bytes to) implements Intake.OfBytes {

    @Override
    public void take(Object value) {
      if (value instanceof byte[] bytes) {
        to.put(bytes, 0, bytes.length);
      } else if (value instanceof ByteBuffer bytes) {
        to.put(bytes);
      } else {
        throw Intake.wrongClass("BYTES takes a byte[] or a ByteBuffer", value);
      }
      to.endValue();
    }

    @Override
    public Column.BytesTarget target() {
      return to;
    }

    @Override
    public boolean keepsBytes() {
      return true;
    }

    @Override
    public void endBytes() {
      to.endValue();
    }
  }
}

package io.filament.sink.s3.internal.encode;

import io.filament.sink.FieldType.DecimalType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The text of decimals: plain, with as many digits after the point as the scale says. */
final class DecimalText {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final long WORD_MASK = 0xFFFF_FFFFL;

  /** Digits are split off in groups, the most of which a remainder and a word are a long. */
  private static final int GROUP_DIGITS = 9;

  private static final long GROUP_UNIT = 1_000_000_000;
  private static final int GROUPS = 5;

  private DecimalText() {}

  static ScalarText of(DecimalType type) {
    if (type.precision() > 18) {
      return new Large(type.scale());
    }
    int scale = type.scale();
    if (scale == 0) {
      return (vector, index, to) -> to.putLong(ScalarText.at(vector, index));
    }
    long unit = TextBuffer.powerOfTen(scale);
    return (vector, index, to) -> {
      long unscaled = ScalarText.at(vector, index);
      if (unscaled < 0) {
        to.put('-');
      }
      long magnitude = Math.abs(unscaled);
      long whole = magnitude / unit;
      to.putLong(whole);
      to.put('.');
      to.putDigits(magnitude - whole * unit, scale);
    };
  }

  /** Over 18 digits: 16 bytes of big-endian two's complement. Used by one thread at a time. */
  private static final class Large implements ScalarText {

    private final int scale;
    private final TextBuffer digits = new TextBuffer();
    private final long[] groups = new long[GROUPS];

    Large(int scale) {
      this.scale = scale;
    }

    @Override
    public void put(Vector vector, int index, TextBuffer to) {
      Vector.Bytes bytes = (Vector.Bytes) vector;
      int start = bytes.start(index);
      long upper = (long) LONG.get(bytes.array(), start);
      long lower = (long) LONG.get(bytes.array(), start + Long.BYTES);
      if (upper < 0) {
        to.put('-');
        lower = -lower;
        upper = lower == 0 ? -upper : ~upper;
      }
      split(upper, lower);
      digits.clear();
      for (long group : groups) {
        digits.putDigits(group, GROUP_DIGITS);
      }
      putPoint(to);
    }

    /** Divides by the unit of a group again and again, each time word by word. */
    private void split(long upper, long lower) {
      long first = upper;
      long second = lower;
      for (int i = GROUPS - 1; i >= 0; i--) {
        long rest = first % GROUP_UNIT;
        first /= GROUP_UNIT;
        long middle = (rest << Integer.SIZE) | (second >>> Integer.SIZE);
        long last = ((middle % GROUP_UNIT) << Integer.SIZE) | (second & WORD_MASK);
        second = ((middle / GROUP_UNIT) << Integer.SIZE) | (last / GROUP_UNIT);
        groups[i] = last % GROUP_UNIT;
      }
    }

    private void putPoint(TextBuffer to) {
      byte[] all = digits.array();
      int point = digits.length() - scale;
      int start = 0;
      while (start < point - 1 && all[start] == '0') {
        start++;
      }
      to.put(all, start, point - start);
      if (scale > 0) {
        to.put('.');
        to.put(all, point, scale);
      }
    }
  }
}

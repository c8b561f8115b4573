package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;

final class ShortBoundsTest {

  private static final PrimitiveType TEXT =
      Types.required(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType()).named("c");
  private static final PrimitiveType BYTES = Types.required(PrimitiveTypeName.BINARY).named("c");

  @Test
  void statisticsThatAreShortArePassedOn() {
    Statistics<?> statistics = of(TEXT, "a".getBytes(StandardCharsets.UTF_8));

    assertThat(ShortBounds.shorten(statistics, TEXT)).isSameAs(statistics);
  }

  @Test
  void nullsAreStillCounted() {
    Statistics<?> statistics = of(TEXT, "a".repeat(65).getBytes(StandardCharsets.UTF_8));
    statistics.incrementNumNulls(3);

    Statistics<?> shorter = ShortBounds.shorten(statistics, TEXT);

    assertThat(shorter.getNumNulls()).isEqualTo(3);
    assertThat(shorter.getMinBytes()).isEqualTo("a".repeat(64).getBytes(StandardCharsets.UTF_8));
    assertThat(shorter.getMaxBytes())
        .isEqualTo(("a".repeat(63) + "b").getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void bytesAreBoundedAsUnsignedNumbers() {
    byte[] value = new byte[100];
    Arrays.fill(value, (byte) 0xFF);
    value[10] = 0x7F;

    Statistics<?> shorter = ShortBounds.shorten(of(BYTES, value), BYTES);

    assertThat(Arrays.compareUnsigned(shorter.getMinBytes(), value)).isNegative();
    assertThat(Arrays.compareUnsigned(shorter.getMaxBytes(), value)).isPositive();
    assertThat(shorter.getMinBytes()).hasSize(64);
    assertThat(shorter.getMaxBytes()).hasSizeLessThanOrEqualTo(64);
    assertThat(shorter.getMaxBytes()[10]).isEqualTo((byte) 0x80);
  }

  @Test
  void bytesThatNothingIsAboveHaveNoBounds() {
    byte[] value = new byte[100];
    Arrays.fill(value, (byte) 0xFF);

    assertThat(ShortBounds.shorten(of(BYTES, value), BYTES).isEmpty()).isTrue();
  }

  private static Statistics<?> of(PrimitiveType type, byte[] value) {
    Statistics<?> statistics = Statistics.createStats(type);
    statistics.updateStats(Binary.fromConstantByteArray(value));
    return statistics;
  }
}

package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RowBytesTest {

  private final Slice slice = TestVectors.slice(AllTypes.SCHEMA, AllTypes.rows());

  @Test
  void allRowsTakeWhatTheVectorsTake() {
    long bytes = slice.vectors().stream().mapToLong(Vector::bytes).sum();

    assertThat(RowBytes.between(slice, 0, 4)).isEqualTo(bytes);
  }

  @Test
  void rowTakesTheSameInEverySlice() {
    for (int row = 0; row < 4; row++) {
      Slice alone = TestVectors.slice(AllTypes.SCHEMA, List.of(AllTypes.rows().get(row)));

      assertThat(RowBytes.between(slice, row, row + 1)).isEqualTo(RowBytes.between(alone, 0, 1));
    }
  }

  @Test
  void reachFindsTheFirstRowThatSuffices() {
    long first = RowBytes.between(slice, 0, 1);
    long second = RowBytes.between(slice, 1, 2);

    assertThat(RowBytes.reach(slice, 0, 1)).isEqualTo(1);
    assertThat(RowBytes.reach(slice, 0, first)).isEqualTo(1);
    assertThat(RowBytes.reach(slice, 0, first + 1)).isEqualTo(2);
    assertThat(RowBytes.reach(slice, 1, second)).isEqualTo(2);
    assertThat(RowBytes.reach(slice, 1, second + 1)).isEqualTo(3);
    assertThat(RowBytes.reach(slice, 0, Long.MAX_VALUE)).isEqualTo(4);
  }
}

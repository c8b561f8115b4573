package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The form in which encoders read values. */
class VectorTest {

  @Test
  void valuesAndNullsKeepTheirPlaces() {
    Vector.Longs longs = (Vector.Longs) Vector.of(FieldType.INT64);
    for (int i = 0; i < 1_000; i++) {
      if (i % 3 == 0) {
        longs.addNull();
      } else {
        longs.add(i);
      }
    }
    assertThat(longs.size()).isEqualTo(1_000);
    assertThat(longs.hasNulls()).isTrue();
    assertThat(longs.isNull(999)).isTrue();
    assertThat(longs.isNull(998)).isFalse();
    assertThat(longs.get(998)).isEqualTo(998);
  }

  @Test
  void aNullTakesAPlaceAmongTheValues() {
    Vector.Longs longs = (Vector.Longs) Vector.of(FieldType.INT64);
    longs.add(1);
    longs.addNull();
    longs.addNull();
    longs.add(4);
    assertThat(longs.nulls().present(0, 4)).isEqualTo(0b1001);
    assertThat(longs.array()).startsWith(1, 0, 0, 4);
    longs.truncate(2);
    assertThat(longs.nulls().countPresent(0, 2)).isEqualTo(1);
    longs.add(3);
    assertThat(longs.isNull(2)).isFalse();
  }

  @Test
  void bytesOfManyValuesAreAppendedAtOnce() {
    Vector.Bytes bytes = (Vector.Bytes) Vector.of(FieldType.STRING);
    bytes.put(new byte[] {'x'}, 0, 1);
    bytes.endValue();
    byte[] source = "-abc-".getBytes(StandardCharsets.UTF_8);
    assertThat(bytes.addAll(source, new int[] {0, 1, 3, 3, 4}, 1, 4)).isTrue();
    assertThat(bytes.size()).isEqualTo(4);
    assertThat(text(bytes, 0)).isEqualTo("x");
    assertThat(text(bytes, 1)).isEqualTo("ab");
    assertThat(text(bytes, 2)).isEmpty();
    assertThat(text(bytes, 3)).isEqualTo("c");
  }

  @Test
  void bytesAreNotAppendedFromPlacesThatTheyCannotHave() {
    Vector.Bytes bytes = (Vector.Bytes) Vector.of(FieldType.STRING);
    byte[] source = new byte[4];
    assertThat(bytes.addAll(source, new int[] {-1, 2}, 0, 1)).isFalse();
    assertThat(bytes.addAll(source, new int[] {1, 5}, 0, 1)).isFalse();
    assertThat(bytes.addAll(source, new int[] {1, 3, 2}, 0, 2)).isFalse();
    assertThat(bytes.addAll(source, new int[] {3, 2}, 0, 1)).isFalse();
    assertThat(bytes.size()).isZero();
    assertThat(bytes.bytes()).isZero();
  }

  @Test
  void bytesArePutInPieces() {
    Vector.Bytes bytes = (Vector.Bytes) Vector.of(FieldType.STRING);
    bytes.put(new byte[] {'x', 'a', 'b'}, 1, 1);
    ByteBuffer rest = ByteBuffer.wrap(new byte[] {'b', 'c'});
    bytes.put(rest);
    bytes.endValue();
    bytes.addNull();
    bytes.put(new byte[] {'z'}, 0, 1);
    bytes.dropUnended();
    bytes.endValue();
    bytes.put(new byte[] {'d'}, 0, 1);
    bytes.endValue();
    assertThat(rest.position()).isZero();
    assertThat(bytes.size()).isEqualTo(4);
    assertThat(text(bytes, 0)).isEqualTo("abc");
    assertThat(bytes.isNull(1)).isTrue();
    assertThat(text(bytes, 2)).isEmpty();
    assertThat(text(bytes, 3)).isEqualTo("d");
  }

  @Test
  void aNullStructHasNullInEachField() {
    Schema schema =
        Schema.builder()
            .required("a", FieldType.INT64)
            .required("b", FieldType.list(FieldType.STRING))
            .build();
    Vector.Structs structs = (Vector.Structs) Vector.of(FieldType.struct(schema));
    structs.addNull();
    assertThat(structs.fields())
        .hasSize(2)
        .allSatisfy(
            field -> {
              assertThat(field.size()).isEqualTo(1);
              assertThat(field.isNull(0)).isTrue();
            });
  }

  @Test
  void listsAndMapsHoldRangesOfTheirElements() {
    Vector.Lists lists = (Vector.Lists) Vector.of(FieldType.list(FieldType.INT64));
    Vector.Longs elements = (Vector.Longs) lists.elements();
    elements.add(7);
    elements.add(8);
    lists.endValue();
    lists.addNull();
    lists.endValue();
    assertThat(lists.start(0)).isZero();
    assertThat(lists.end(0)).isEqualTo(2);
    assertThat(lists.isNull(1)).isTrue();
    assertThat(lists.start(2)).isEqualTo(lists.end(2)).isEqualTo(2);

    Vector.Maps maps = (Vector.Maps) Vector.of(FieldType.map(FieldType.STRING, FieldType.INT64));
    maps.addNull();
    ((Vector.Bytes) maps.keys()).endValue();
    maps.values().addNull();
    maps.endValue();
    assertThat(maps.start(1)).isZero();
    assertThat(maps.end(1)).isEqualTo(1);
  }

  @Test
  void aVectorIsEmptyAfterClear() {
    for (FieldType type :
        new FieldType[] {
          FieldType.INT64,
          FieldType.STRING,
          FieldType.list(FieldType.STRING),
          FieldType.map(FieldType.STRING, FieldType.INT64),
          FieldType.struct(Schema.builder().nullable("a", FieldType.STRING).build())
        }) {
      Vector vector = Vector.of(type);
      vector.addNull();
      vector.clear();
      assertThat(vector.size()).as(type.toString()).isZero();
      assertThat(vector.hasNulls()).as(type.toString()).isFalse();
      assertThat(vector.bytes()).as(type.toString()).isZero();
    }
  }

  @Test
  void moreThanAnArrayHoldsDoesNotFit() {
    int max = Integer.MAX_VALUE - 8;
    assertThat(Vector.grown(0, 1)).isEqualTo(16);
    assertThat(Vector.grown(100, 101)).isEqualTo(166);
    assertThat(Vector.grown(2_000_000_000, 2_000_000_001L)).isEqualTo(max);
    assertThat(Vector.grown(max, max)).isEqualTo(max);
    assertThatThrownBy(() -> Vector.grown(max, max + 1L))
        .isInstanceOf(UnfitValueException.class)
        .hasMessage("one record has more than " + max + " bytes or elements in this field");
  }

  private static String text(Vector.Bytes bytes, int index) {
    return new String(
        bytes.array(), bytes.start(index), bytes.length(index), StandardCharsets.UTF_8);
  }
}

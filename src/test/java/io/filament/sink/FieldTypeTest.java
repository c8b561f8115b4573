package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FieldTypeTest {

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 1", "18, 2", "38, 0", "38, 38"})
  void decimalsHaveUpTo38Digits(int precision, int scale) {
    assertThat(FieldType.decimal(precision, scale))
        .isEqualTo(new FieldType.DecimalType(precision, scale));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, decimal precision must be 1 to 38: 0",
    "39, 0, decimal precision must be 1 to 38: 39",
    "-1, 0, decimal precision must be 1 to 38: -1",
    "10, -1, decimal scale must be 0 to the precision 10: -1",
    "10, 11, decimal scale must be 0 to the precision 10: 11"
  })
  void otherDecimalsAreRefused(int precision, int scale, String message) {
    assertThatThrownBy(() -> FieldType.decimal(precision, scale))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @EnumSource(value = FieldType.Primitive.class, mode = EnumSource.Mode.EXCLUDE, names = "JSON")
  void everyScalarIsAKey(FieldType.Primitive key) {
    assertThatCode(() -> FieldType.map(key, FieldType.INT32)).doesNotThrowAnyException();
  }

  @Test
  void whatHasNoOneTextIsNoKey() {
    Schema schema = Schema.builder().required("a", FieldType.INT32).build();
    for (FieldType key :
        new FieldType[] {
          FieldType.JSON,
          FieldType.list(FieldType.INT32),
          FieldType.struct(schema),
          FieldType.map(FieldType.STRING, FieldType.INT32)
        }) {
      assertThatThrownBy(() -> FieldType.map(key, FieldType.INT32))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a map's key must have a scalar type: " + key);
    }
  }

  @Test
  void typesAreEqualByWhatTheyAreMadeOf() {
    Schema schema = Schema.builder().required("a", FieldType.decimal(5, 2)).build();
    FieldType type = FieldType.map(FieldType.STRING, FieldType.list(FieldType.struct(schema)));
    assertThat(FieldType.map(FieldType.STRING, FieldType.list(FieldType.struct(schema))))
        .isEqualTo(type)
        .hasSameHashCodeAs(type);
    assertThat(FieldType.decimal(5, 2)).isNotEqualTo(FieldType.decimal(5, 3));
  }

  @Test
  void nothingOfATypeIsNull() {
    assertThatThrownBy(() -> FieldType.list(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> FieldType.struct(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> FieldType.map(FieldType.STRING, null))
        .isInstanceOf(NullPointerException.class);
  }
}

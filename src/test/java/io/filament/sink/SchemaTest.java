package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTest {

  @Test
  void fieldsKeepTheirOrderAndCase() {
    Schema schema =
        Schema.builder()
            .required("id", FieldType.INT64)
            .nullable("Id", FieldType.STRING)
            .nullable("", FieldType.BOOLEAN)
            .build();
    assertThat(schema.fields())
        .containsExactly(
            new Field("id", FieldType.INT64, false),
            new Field("Id", FieldType.STRING, true),
            new Field("", FieldType.BOOLEAN, true));
    assertThat(schema.indexOf("Id")).isEqualTo(1);
    assertThat(schema.indexOf("ID")).isEqualTo(-1);
  }

  @Test
  void aNameThatIsDeclaredTwiceIsRefused() {
    Schema.Builder builder =
        Schema.builder()
            .required("a", FieldType.INT64)
            .required("b", FieldType.INT64)
            .nullable("a", FieldType.STRING);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("field \"a\" is declared twice, at positions 0 and 2");
  }

  @Test
  void schemasAreEqualByTheirFieldsInOrder() {
    Field a = new Field("a", FieldType.INT64, true);
    Field b = new Field("b", FieldType.list(FieldType.decimal(10, 2)), false);
    Schema schema = Schema.of(List.of(a, b));
    assertThat(Schema.of(List.of(a, b))).isEqualTo(schema).hasSameHashCodeAs(schema);
    assertThat(Schema.of(List.of(b, a))).isNotEqualTo(schema);
    assertThat(Schema.of(List.of(a))).isNotEqualTo(schema);
    Field required = new Field("a", FieldType.INT64, false);
    assertThat(Schema.of(List.of(required, b))).isNotEqualTo(schema);
  }

  @Test
  void aSchemaDoesNotChangeWithTheListItWasMadeOf() {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("a", FieldType.INT64, true));
    Schema schema = Schema.of(fields);
    fields.clear();
    assertThat(schema.fields()).hasSize(1);
  }

  @Test
  void nothingOfAFieldIsNull() {
    assertThatThrownBy(() -> new Field(null, FieldType.INT64, true))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name");
    assertThatThrownBy(() -> new Field("a", null, true))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("type");
  }
}

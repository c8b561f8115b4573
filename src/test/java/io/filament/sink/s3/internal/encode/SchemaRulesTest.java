package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.filament.sink.Compression;
import io.filament.sink.FieldType;
import io.filament.sink.FileFormat;
import io.filament.sink.ObjectFormat;
import io.filament.sink.Schema;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schemas that are refused before there is any object. */
class SchemaRulesTest {

  private static final FieldType NO_FIELDS = FieldType.struct(Schema.of(List.of()));

  @ParameterizedTest
  @EnumSource(FileFormat.class)
  void aSchemaWithoutFieldsIsRefused(FileFormat format) {
    assertThatThrownBy(() -> check(Schema.of(List.of()), format))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("resource \"things\": the schema has no fields");
  }

  @ParameterizedTest
  @EnumSource(FileFormat.class)
  void aStructWithoutFieldsIsRefusedWhereverItIs(FileFormat format) {
    checkRefused(NO_FIELDS, format, "\"v\": the struct has no fields");
    checkRefused(FieldType.list(NO_FIELDS), format, "\"v[]\": the struct has no fields");
    checkRefused(
        FieldType.map(FieldType.STRING, NO_FIELDS), format, "\"v{}\": the struct has no fields");
    checkRefused(
        FieldType.struct(Schema.builder().nullable("a", FieldType.list(NO_FIELDS)).build()),
        format,
        "\"v.a[]\": the struct has no fields");
  }

  @Test
  void fieldsThatDifferInCaseAloneAreRefusedForParquetOnly() {
    Schema schema =
        Schema.builder().required("Id", FieldType.INT32).required("ID", FieldType.INT32).build();
    String problem = "the name differs from \"Id\" in case alone, which readers of parquet ignore";
    assertThatThrownBy(() -> check(schema, FileFormat.PARQUET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("resource \"things\", field \"ID\": " + problem);
    checkRefused(
        FieldType.list(FieldType.struct(schema)), FileFormat.PARQUET, "\"v[].ID\": " + problem);
    for (FileFormat format : List.of(FileFormat.NDJSON, FileFormat.JSONL, FileFormat.JSON)) {
      assertThatCode(() -> check(schema, format)).doesNotThrowAnyException();
    }
  }

  @Test
  void fieldsOfDifferentStructsMayHaveTheSameName() {
    Schema inner = Schema.builder().required("id", FieldType.INT32).build();
    Schema schema =
        Schema.builder()
            .required("id", FieldType.INT32)
            .required("other", FieldType.struct(inner))
            .build();
    assertThatCode(() -> check(schema, FileFormat.PARQUET)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @EnumSource(FileFormat.class)
  void nestingHasALimit(FileFormat format) {
    assertThatCode(() -> check(nested(SchemaRules.MAX_DEPTH), format)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(nested(SchemaRules.MAX_DEPTH + 1), format))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("lists, structs and maps are nested deeper than 64 levels");
    assertThatThrownBy(() -> check(nested(1_000_000), format))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNameWithoutUtf8IsRefused() {
    assertThatThrownBy(
            () ->
                check(
                    Schema.builder().required("a\uD83D", FieldType.INT32).build(),
                    FileFormat.NDJSON))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("the name has a surrogate without its partner, which has no UTF-8");
  }

  @Test
  void openRefusesWhatTheCheckRefuses() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThatThrownBy(
            () ->
                ResourceEncoder.open(
                    "things", Schema.of(List.of()), Encoding.NDJSON, EncodeThreads.of(1), out))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("resource \"things\": the schema has no fields");
    assertThat(out.size()).isZero();
  }

  private static Schema nested(int levels) {
    FieldType type = FieldType.INT32;
    for (int i = 1; i < levels; i++) {
      type = i % 2 == 0 ? FieldType.list(type) : FieldType.map(FieldType.STRING, type);
    }
    return Schema.builder().nullable("v", type).build();
  }

  private static void checkRefused(FieldType type, FileFormat format, String problem) {
    assertThatThrownBy(() -> check(Schema.builder().nullable("v", type).build(), format))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("resource \"things\", field " + problem);
  }

  private static void check(Schema schema, FileFormat format) {
    ResourceEncoder.checkSchema("things", schema, new ObjectFormat(format, Compression.NONE));
  }
}

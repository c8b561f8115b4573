package io.filament.sink.s3.internal.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.filament.sink.FieldType;
import io.filament.sink.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ParquetSchemaTest {

  @Test
  void everyTypeHasItsParquetType() {
    assertThat(ParquetSchema.of(AllTypes.SCHEMA).toString())
        .isEqualToIgnoringNewLines(
            """
            message schema {
              required int32 row;
              optional boolean boolean;
              optional int32 int16 (INTEGER(16,true));
              optional int32 int32;
              optional int64 int64;
              optional float float32 columnorder(TYPE_DEFINED_ORDER);
              optional double float64 columnorder(TYPE_DEFINED_ORDER);
              optional int32 decimal9 (DECIMAL(9,2));
              optional int64 decimal18 (DECIMAL(18,0));
              optional fixed_len_byte_array(16) decimal38 (DECIMAL(38,38));
              optional binary numeric (STRING);
              optional binary string (STRING);
              optional binary json (STRING);
              optional binary bytes;
              optional int32 date (DATE);
              optional int64 time (TIME(MICROS,false));
              optional int64 timestamp (TIMESTAMP(MICROS,false));
              optional int64 timestamptz (TIMESTAMP(MICROS,true));
              optional binary uuid (STRING);
              optional group list (LIST) {
                repeated group list {
                  optional int64 element;
                }
              }
              optional group struct {
                required int32 x;
                optional binary y (STRING);
              }
              optional group map (MAP) {
                repeated group key_value {
                  required binary key (STRING);
                  optional group value (LIST) {
                    repeated group list {
                      optional double element columnorder(TYPE_DEFINED_ORDER);
                    }
                  }
                }
              }
            }
            """);
  }

  @Test
  void requiredGroupsStayRequired() {
    Schema schema =
        Schema.builder()
            .required("l", FieldType.list(FieldType.INT32))
            .required("s", FieldType.struct(Schema.builder().nullable("x", FieldType.DATE).build()))
            .build();

    assertThat(ParquetSchema.of(schema).toString())
        .isEqualToIgnoringNewLines(
            """
            message schema {
              required group l (LIST) {
                repeated group list {
                  optional int32 element;
                }
              }
              required group s {
                optional int32 x (DATE);
              }
            }
            """);
  }

  @ParameterizedTest
  @CsvSource({"19, 9", "21, 9", "22, 10", "23, 10", "26, 11", "28, 12", "33, 14", "38, 16"})
  void longDecimalsTakeTheFewestBytes(int precision, int bytes) {
    assertThat(ParquetSchema.decimalBytes(precision)).isEqualTo(bytes);
  }
}

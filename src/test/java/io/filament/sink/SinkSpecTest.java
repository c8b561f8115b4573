package io.filament.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.filament.sink.ConfigField.Condition;
import io.filament.sink.ConfigField.Scope;
import io.filament.sink.ConfigField.Variant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SinkSpecTest {

  private static final ConfigField MODE =
      ConfigField.builder("mode", ConfigField.Type.ENUM, Scope.PIPELINE)
          .allowedValues(List.of("a", "b"))
          .defaultValue("a")
          .help("Say \"a\" or\n\\b\u0001 é🙂.")
          .build();

  /** The whole text, so that a change of the form shows. */
  @Test
  void schemaSaysWhatTheFieldsSay() {
    ConfigField key =
        ConfigField.builder("key", ConfigField.Type.SECRET, Scope.CONNECTION)
            .required()
            .visibleWhen(Condition.hasValue("mode", "b"))
            .help("Key.")
            .build();
    ConfigField size =
        ConfigField.builder("size", ConfigField.Type.INT, Scope.PIPELINE)
            .defaultValue(2)
            .range(1, 3)
            .variant(new Variant(Condition.hasValue("mode", "a"), List.of(), 3))
            .help("Size.")
            .build();

    assertThat(spec(MODE, key, size).toJsonSchema())
        .isEqualTo(
            """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "A sink",
              "type": "object",
              "properties": {
                "mode": {
                  "type": "string",
                  "description": "Say \\"a\\" or\\u000a\\\\b\\u0001 é🙂.",
                  "enum": [
                    "a",
                    "b"
                  ],
                  "default": "a"
                },
                "key": {
                  "type": "string",
                  "description": "Key.",
                  "writeOnly": true
                },
                "size": {
                  "type": "integer",
                  "description": "Size.",
                  "default": 2,
                  "minimum": 1,
                  "maximum": 3
                }
              },
              "required": [],
              "additionalProperties": false,
              "allOf": [
                {
                  "if": {
                    "properties": {
                      "mode": {
                        "enum": [
                          "b"
                        ]
                      }
                    },
                    "required": [
                      "mode"
                    ]
                  },
                  "then": {
                    "required": [
                      "key"
                    ]
                  },
                  "else": {
                    "properties": {
                      "key": false
                    }
                  }
                },
                {
                  "if": {
                    "properties": {
                      "mode": {
                        "enum": [
                          "a"
                        ]
                      }
                    }
                  },
                  "then": {
                    "properties": {
                      "size": {
                        "default": 3
                      }
                    }
                  }
                }
              ]
            }
            """);
  }

  @Test
  void fieldsStandAfterThoseThatTheyDependOn() {
    ConfigField key =
        ConfigField.builder("key", ConfigField.Type.STRING, Scope.CONNECTION)
            .visibleWhen(Condition.isSet("mode"))
            .build();
    assertThat(spec(MODE, key).fields()).containsExactly(MODE, key);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spec(key, MODE))
        .withMessage("key depends on mode, which is not before it");
  }

  @Test
  void fieldsHaveNamesOfTheirOwn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> spec(MODE, MODE))
        .withMessage("setting mode is there twice");
  }

  @Test
  void fieldsThatContradictThemselvesAreRefused() {
    ConfigField.Builder number =
        ConfigField.builder("number", ConfigField.Type.INT, Scope.PIPELINE).range(1, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> number.defaultValue(4).build())
        .withMessage("number: the default does not fit: 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> number.defaultValue("2").build())
        .withMessage("number: the default does not fit: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> number.defaultValue(2).required().build())
        .withMessage("number: a required setting has no default");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> number.range(3, 1))
        .withMessage("min 3 is greater than max 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field("Name", ConfigField.Type.STRING).build())
        .withMessage("a setting's name is in snake case: \"Name\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field("x", ConfigField.Type.ENUM).build())
        .withMessage("x: an ENUM, and nothing else, has allowed values");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field("x", ConfigField.Type.STRING).range(1, 2).build())
        .withMessage("x: only an INT has a range");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> field("x", ConfigField.Type.SECRET).defaultValue("hunter2").build())
        .withMessageStartingWith("x: the default does not fit");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                field("x", ConfigField.Type.ENUM)
                    .allowedValues(List.of("a"))
                    .variant(new Variant(Condition.isSet("y"), List.of("a", "b"), "a"))
                    .build())
        .withMessage("x: a variant allows less, not more: [a, b]");
  }

  private static ConfigField.Builder field(String name, ConfigField.Type type) {
    return ConfigField.builder(name, type, Scope.PIPELINE);
  }

  private static SinkSpec spec(ConfigField... fields) {
    return new SinkSpec(
        "sink",
        "A sink",
        "1",
        SinkSpec.Maturity.BETA,
        List.of(fields),
        Set.of(WriteMode.FULL_APPEND),
        SinkSpec.Durability.AFTER_COMMIT,
        SinkSpec.Atomicity.RESOURCE);
  }
}

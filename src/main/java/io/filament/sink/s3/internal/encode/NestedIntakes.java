package io.filament.sink.s3.internal.encode;

import io.filament.sink.Field;
import io.filament.sink.FieldType;
import io.filament.sink.FieldType.ListType;
import io.filament.sink.FieldType.MapType;
import io.filament.sink.FieldType.StructType;
import io.filament.sink.Schema;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Intakes of lists, structs and maps. */
final class NestedIntakes {

  private NestedIntakes() {}

  /** Takes a List, an array of objects or one of primitives. */
  static final class OfList implements Intake {

    private final Vector.Lists to;
    private final Slot element;

    OfList(ListType type, Vector.Lists to) {
      this.to = to;
      this.element = Slot.of(type.element(), to.elements(), true);
    }

    @Override
    public void take(Object value) {
      int index = 0;
      if (value instanceof List<?> list) {
        for (Object item : list) {
          put(index++, item);
        }
      } else if (value instanceof Object[] array) {
        for (Object item : array) {
          put(index++, item);
        }
      } else if (value.getClass().isArray()) {
        for (int length = Array.getLength(value); index < length; index++) {
          put(index, Array.get(value, index));
        }
      } else {
        throw Intake.wrongClass("a list takes a List or an array", value);
      }
      to.endValue();
    }

    private void put(int index, @Nullable Object item) {
      try {
        element.put(item);
      } catch (UnfitValueException e) {
        throw e.inElement(index);
      }
    }
  }

  /** Takes a Map by field name, or an array in the fields' order. */
  static final class OfStruct implements Intake {

    private final Schema schema;
    private final Vector.Structs to;
    private final List<Slot> slots = new ArrayList<>();

    OfStruct(StructType type, Vector.Structs to) {
      this.schema = type.schema();
      this.to = to;
      for (int i = 0; i < schema.fields().size(); i++) {
        Field field = schema.fields().get(i);
        slots.add(Slot.of(field.type(), to.fields().get(i), field.nullable()));
      }
    }

    @Override
    public void take(Object value) {
      if (value instanceof Object[] array) {
        putAll(array);
      } else if (value instanceof Map<?, ?> map) {
        putAll(inOrder(map));
      } else {
        throw Intake.wrongClass("a struct takes a Map or an Object[]", value);
      }
      to.endValue();
    }

    private void putAll(@Nullable Object[] values) {
      if (values.length != slots.size()) {
        throw new UnfitValueException(
            "the struct has " + slots.size() + " fields, its array " + values.length + " values");
      }
      for (int i = 0; i < values.length; i++) {
        try {
          slots.get(i).put(values[i]);
        } catch (UnfitValueException e) {
          throw e.inField(schema.fields().get(i).name());
        }
      }
    }

    /** Asks the map for its entries and not for our fields, so that no value of it is lost. */
    private @Nullable Object[] inOrder(Map<?, ?> map) {
      @Nullable Object[] values = new Object[slots.size()];
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        int position = entry.getKey() instanceof String name ? schema.indexOf(name) : -1;
        if (position < 0) {
          String key = entry.getKey() == null ? "null" : Excerpt.of(entry.getKey());
          throw new UnfitValueException(
              "the map has a value for " + key + ", the struct no such field");
        }
        values[position] = entry.getValue();
      }
      return values;
    }
  }

  /** Takes a Map, in the order of its iteration. */
  static final class OfMap implements Intake {

    private final Vector.Maps to;
    private final FieldType keyType;
    private final Slot key;
    private final Slot value;

    OfMap(MapType type, Vector.Maps to) {
      this.to = to;
      this.keyType = type.key();
      this.key = Slot.of(type.key(), to.keys(), false);
      this.value = Slot.of(type.value(), to.values(), true);
    }

    @Override
    public void take(Object map) {
      if (!(map instanceof Map<?, ?> entries)) {
        throw Intake.wrongClass("a map takes a Map", map);
      }
      int start = to.keys().size();
      for (Map.Entry<?, ?> entry : entries.entrySet()) {
        put(entry.getKey(), entry.getValue());
      }
      KeySet.checkUnique(keyType, to.keys(), start);
      to.endValue();
    }

    private void put(@Nullable Object entryKey, @Nullable Object entryValue) {
      if (entryKey == null) {
        throw new UnfitValueException("a key of the map is null");
      }
      try {
        key.put(entryKey);
      } catch (UnfitValueException e) {
        throw new UnfitValueException("a key of the map doesn't fit: " + e.problem());
      }
      try {
        value.put(entryValue);
      } catch (UnfitValueException e) {
        throw e.underKey(
            entryKey instanceof CharSequence text ? Excerpt.shortened(text) : Excerpt.of(entryKey));
      }
    }
  }
}

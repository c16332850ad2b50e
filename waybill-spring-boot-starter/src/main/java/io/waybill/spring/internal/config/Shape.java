package io.waybill.spring.internal.config;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.core.ResolvableType;

/** What may stand below a key: the records that are bound, as a tree. */
sealed interface Shape {

  /**
   * A record: keys that are known.
   *
   * @param keys by name, in the record's order
   */
  record Section(Map<String, Key> keys) implements Shape {
    @Nullable Key find(String name) {
      String wanted = Names.uniform(name);
      for (Key key : keys.values()) {
        if (Names.uniform(key.name()).equals(wanted)) {
          return key;
        }
      }
      return null;
    }
  }

  /**
   * A key of a record.
   *
   * @param name in dashed form
   * @param shape what stands there
   * @param present whether it is there without being given
   * @param fallback the value if none is given
   */
  record Key(String name, Shape shape, boolean present, @Nullable String fallback) {}

  /** A map: the user chooses the names. */
  record Named(Shape each) implements Shape {}

  /** A list. */
  record Items(Shape each) implements Shape {}

  /** One text. */
  record Value(Class<?> type) implements Shape {}

  /** The tree of a record. */
  static Section of(Class<?> type) {
    if (!type.isRecord()) {
      throw new IllegalArgumentException(type + " is no record");
    }
    Map<String, Key> keys = new LinkedHashMap<>();
    Parameter[] parameters = constructor(type).getParameters();
    RecordComponent[] components = type.getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      Name given = find(parameters[i], Name.class);
      String name =
          given == null
              ? DataObjectPropertyName.toDashedForm(components[i].getName())
              : given.value();
      DefaultValue fallback = find(parameters[i], DefaultValue.class);
      Shape shape = of(ResolvableType.forType(components[i].getGenericType()));
      String[] texts = fallback == null ? new String[0] : fallback.value();
      String value = texts.length == 0 ? null : String.join(",", texts);
      keys.put(name, new Key(name, shape, fallback != null, value));
    }
    return new Section(keys);
  }

  private static Shape of(ResolvableType type) {
    Class<?> raw = type.resolve(Object.class);
    if (Map.class.isAssignableFrom(raw)) {
      return new Named(of(type.asMap().getGeneric(1)));
    }
    if (Collection.class.isAssignableFrom(raw)) {
      return new Items(of(type.asCollection().getGeneric(0)));
    }
    return raw.isRecord() ? of(raw) : new Value(raw);
  }

  private static <A extends Annotation> @Nullable A find(Parameter parameter, Class<A> type) {
    return parameter.getAnnotation(type);
  }

  private static Constructor<?> constructor(Class<?> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}

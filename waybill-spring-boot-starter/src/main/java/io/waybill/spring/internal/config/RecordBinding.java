package io.waybill.spring.internal.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.convert.ConverterNotFoundException;

/** Makes the record out of values that have been checked, and goes on where a part refuses. */
final class RecordBinding extends AbstractBindHandler {
  private final BiConsumer<String, String> problems;
  private final Set<ConfigurationPropertyName> refused = new HashSet<>();
  private final Set<ConfigurationPropertyName> empty = new HashSet<>();

  private RecordBinding(Map<String, String> values, BiConsumer<String, String> problems) {
    this.problems = problems;
    values.forEach(
        (key, text) -> {
          if (text.isEmpty()) {
            empty.add(ConfigurationPropertyName.adapt(key, '.'));
          }
        });
  }

  /**
   * Binds a record.
   *
   * @param problems takes a key and a rule
   */
  static <T> @Nullable T bind(
      String prefix,
      Class<T> type,
      Map<String, String> values,
      BiConsumer<String, String> problems) {
    Binder binder = new Binder(new MapConfigurationPropertySource(new HashMap<>(values)));
    return binder.bindOrCreate(prefix, Bindable.of(type), new RecordBinding(values, problems));
  }

  @Override
  public @Nullable Object onFailure(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
    Class<?> type = target.getType().resolve(Object.class);
    Throwable cause = error;
    if (error instanceof ConverterNotFoundException && type.isRecord() && empty.contains(name)) {
      // Spring Boot 4.0 does not take a section without keys for one with its defaults.
      try {
        return new Binder().bindOrCreate("none", Bindable.of(target.getType()));
      } catch (RuntimeException e) {
        cause = e;
      }
    }
    // A list that misses an element because of what was said of it is not wrong as well.
    boolean follows = refused.stream().anyMatch(name::isAncestorOf);
    if (follows || !refused.add(name)) {
      return null;
    }
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    problems.accept(
        name.toString(),
        type.isRecord()
            ? "is wrong: " + cause.getMessage()
            : "must be what a " + type.getSimpleName() + " can be made of");
    return null;
  }
}

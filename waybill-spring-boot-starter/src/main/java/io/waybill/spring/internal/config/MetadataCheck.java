package io.waybill.spring.internal.config;

import io.waybill.spring.internal.config.Names.Element;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.logging.LogLevel;
import org.springframework.util.unit.DataSize;

/** Checks a key of somebody else by what its jar says of it. */
final class MetadataCheck {
  private static final String WORDS = "true|false|yes|no|on|off|1|0";

  private final Metadata metadata;
  private final ClassLoader loader;

  MetadataCheck(Metadata metadata, ClassLoader loader) {
    this.metadata = metadata;
    this.loader = loader;
  }

  /**
   * What is wrong with a key.
   *
   * @param written as far as it goes wrong
   * @param rule the rule that is broken
   * @param value whether its value breaks it
   */
  record Broken(String written, String rule, boolean value) {}

  /** What its jar says of a key, or null. */
  Metadata.@Nullable Described described(List<Element> key) {
    return metadata.find(uniform(key));
  }

  /** The key that Spring Boot takes a variable for, or the empty text. */
  String key(String variable) {
    String level = "LOGGING_LEVEL_";
    return variable.startsWith(level)
        ? "logging.level." + variable.substring(level.length()).toLowerCase(Locale.ROOT)
        : metadata.key(variable);
  }

  /** What is wrong, or null. */
  @Nullable Broken check(List<Element> key, String text) {
    List<String> steps = uniform(key);
    if (steps.size() > 2 && steps.subList(0, 2).equals(List.of("logging", "level"))) {
      // Its type is a text; false is what YAML makes of off.
      String rule = text.equals("false") ? null : ValueRules.choice(LogLevel.class, text);
      return rule == null ? null : new Broken(Names.key(key), rule, true);
    }
    List<String> words = metadata.words(steps);
    if (!words.isEmpty() && !words.contains(text) && !text.contains(".")) {
      return new Broken(Names.key(key), "must be one of " + String.join(", ", words), true);
    }
    for (int end = steps.size(); end > 0; end--) {
      Metadata.Described found = metadata.find(steps.subList(0, end));
      if (found != null) {
        return found(found, key, end, text);
      }
    }
    if (metadata.section(steps)) {
      String rule = ValueRules.SECTION;
      return text.isEmpty() ? null : new Broken(Names.key(key), rule, true);
    }
    int known = steps.size() - 1;
    while (known > 0 && !metadata.section(steps.subList(0, known))) {
      known--;
    }
    Set<String> near = metadata.below(steps.subList(0, known));
    return unknown(key, known, near);
  }

  private static Broken unknown(List<Element> key, int known, Set<String> near) {
    String hint = Closest.hint(key.get(known).text(), near);
    return new Broken(Names.key(key.subList(0, known + 1)), "is not a known key" + hint, false);
  }

  private @Nullable Broken found(
      Metadata.Described found, List<Element> key, int end, String text) {
    if (found.deprecation().equals("error")) {
      String use = found.replacement().isEmpty() ? "" : "; use " + found.replacement();
      return new Broken(Names.key(key.subList(0, end)), "is gone" + use, false);
    }
    String type = found.type();
    boolean map = type.startsWith("java.util.Map<");
    boolean list = type.matches("java\\.util\\.(List|Set|Collection)<.*") || type.endsWith("[]");
    int rest = key.size() - end;
    if (map) {
      String each = type.substring(type.indexOf(',') + 1, type.length() - 1);
      return rest == 0 ? null : member(each, key, end + 1, text);
    }
    if (rest > 0 && metadata.section(uniform(key.subList(0, end)))) {
      // Both a value and a section, as logging.file once was.
      return null;
    }
    if (rest > 0 && !list && simple(type)) {
      return new Broken(Names.key(key.subList(0, end)), "must be one value", false);
    }
    return rest == 0 && !list ? value(type, key, text) : null;
  }

  /** A value of a map, or something in it. */
  private @Nullable Broken member(String type, List<Element> key, int at, String text) {
    if (at >= key.size() || simple(type)) {
      return value(type, key, text);
    }
    Class<?> bean = find(type);
    if (bean == null || !bean.getName().startsWith("org.springframework.boot.")) {
      return null;
    }
    Map<String, Method> getters = getters(bean);
    for (Map.Entry<String, Method> getter : getters.entrySet()) {
      if (Names.uniform(getter.getKey()).equals(Names.uniform(key.get(at).text()))) {
        Class<?> next = getter.getValue().getReturnType();
        return next.isInterface() ? null : member(next.getName(), key, at + 1, text);
      }
    }
    return unknown(key, at, getters.keySet());
  }

  private static Map<String, Method> getters(Class<?> bean) {
    Map<String, Method> getters = new TreeMap<>();
    for (Method method : bean.getMethods()) {
      String name = method.getName().replaceFirst("^(get|is)(?=[A-Z])", "");
      boolean getter =
          method.getParameterCount() == 0
              && !name.equals(method.getName())
              && method.getDeclaringClass() != Object.class;
      if (getter) {
        String dashed = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-");
        getters.put(dashed.toLowerCase(Locale.ROOT), method);
      }
    }
    return getters;
  }

  private @Nullable Broken value(String type, List<Element> key, String text) {
    String rule = rule(type, key.get(key.size() - 1).text(), text);
    return rule == null ? null : new Broken(Names.key(key), rule, true);
  }

  private @Nullable String rule(String type, String last, String text) {
    return switch (type) {
      case "java.lang.Integer", "int", "java.lang.Short" ->
          last.equals("port") ? port(text) : ValueRules.broken(int.class, text);
      case "java.lang.Long", "long" -> ValueRules.broken(long.class, text);
      case "java.lang.Boolean", "boolean" ->
          text.matches("(?i)" + WORDS) ? null : "must be true or false";
      case "java.time.Duration" ->
          parsed(() -> DurationStyle.detectAndParse(text), "a time, for example 15s", text);
      case "org.springframework.util.unit.DataSize" ->
          parsed(() -> DataSize.parse(text), "a size, for example 32MB", text);
      default -> {
        Class<?> known = find(type);
        yield known != null && known.isEnum() ? ValueRules.choice(known, text) : null;
      }
    };
  }

  private static @Nullable String port(String text) {
    boolean port = text.matches("-1|[0-9]{1,5}") && Integer.parseInt(text) <= 65_535;
    return port
        ? null
        : text.isEmpty() ? ValueRules.NO_VALUE : "must be a whole number from 0 to 65535";
  }

  private static @Nullable String parsed(Runnable parse, String form, String text) {
    if (text.isEmpty()) {
      return ValueRules.NO_VALUE;
    }
    try {
      parse.run();
      return null;
    } catch (IllegalArgumentException | ArithmeticException e) {
      return "must be " + form;
    }
  }

  private boolean simple(String type) {
    Class<?> known = find(type);
    return type.startsWith("java.lang.")
        || type.equals("java.time.Duration")
        || type.equals("org.springframework.util.unit.DataSize")
        || (known != null && (known.isPrimitive() || known.isEnum()));
  }

  private @Nullable Class<?> find(String type) {
    try {
      return type.isEmpty() || type.contains("<") ? null : Class.forName(type, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static List<String> uniform(List<Element> key) {
    return key.stream().map(element -> Names.uniform(element.text())).toList();
  }
}

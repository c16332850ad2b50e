package io.waybill.server.config;

import io.waybill.server.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of the configuration, being read. Every method reports what is wrong and then returns
 * the default, so that reading goes on and finds the rest. {@link #done} reports the keys that
 * nobody asked for.
 */
final class Section {
  private final Source source;
  private final String path;
  private final Map<String, YamlNode> entries;
  private final Set<String> known = new LinkedHashSet<>();

  Section(Source source, String path, Map<String, YamlNode> entries) {
    this.source = source;
    this.path = path;
    this.entries = entries;
  }

  String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  String path() {
    return path;
  }

  boolean has(String key) {
    known.add(key);
    return entries.containsKey(key) || source.overrides(path(key));
  }

  Optional<String> text(String key) {
    return read(key, Optional::of, "", value -> value);
  }

  /** A text that may contain what must not be shown. */
  Optional<String> maskedText(String key, UnaryOperator<String> mask) {
    known.add(key);
    Optional<RawValue> raw = raw(key);
    raw.ifPresent(value -> source.setting(path(key), mask.apply(value.shown()), value.origin()));
    return raw.map(RawValue::text);
  }

  String text(String key, String fallback) {
    return text(key).orElseGet(() -> fallback(key, fallback, fallback));
  }

  /** A text that has to be there; empty after a problem. */
  String required(String key, Pattern form, String rule) {
    if (!has(key)) {
      problem(key, "must be given");
    }
    return read(key, Forms.matching(form), rule, value -> value).orElse("");
  }

  String text(String key, Pattern form, String rule, String fallback) {
    return read(key, Forms.matching(form), rule, value -> value)
        .orElseGet(() -> fallback(key, fallback, fallback));
  }

  boolean flag(String key, boolean fallback) {
    return read(key, Forms::flag, "must be true or false", String::valueOf)
        .orElseGet(() -> fallback(key, fallback, String.valueOf(fallback)));
  }

  int number(String key, int fallback, int least, int most) {
    String rule = "must be a whole number from " + least + " to " + most;
    return read(key, Forms.number(least, most), rule, String::valueOf)
        .orElseGet(() -> fallback(key, fallback, String.valueOf(fallback)));
  }

  Duration duration(String key, Duration fallback, Duration least, Duration most) {
    Function<String, Optional<Duration>> form =
        text -> unit(key, Units.duration(text), least, most, Units::print);
    return read(key, form, Units.DURATION_RULE, Units::print)
        .orElseGet(() -> fallback(key, fallback, Units.print(fallback)));
  }

  long size(String key, long fallback, long least, long most) {
    Function<String, Optional<Long>> form =
        text -> unit(key, Units.size(text), least, most, Units::print);
    return read(key, form, Units.SIZE_RULE, Units::print)
        .orElseGet(() -> fallback(key, fallback, Units.print(fallback)));
  }

  <E extends Enum<E>> E choice(String key, Class<E> type, E fallback) {
    String rule = "must be one of " + Forms.names(type);
    return read(key, Forms.choice(type), rule, Forms::name)
        .orElseGet(() -> fallback(key, fallback, Forms.name(fallback)));
  }

  /** A secret: from the environment or a file, never written in the configuration itself. */
  @Nullable Secret secret(String key) {
    known.add(key);
    Optional<RawValue> raw = raw(key);
    if (raw.isEmpty()) {
      return null;
    }
    RawValue value = raw.get();
    source.setting(path(key), "***", value.origin());
    if (!value.outside()) {
      source.problem(
          path(key),
          "is a secret: write ${NAME} or ${file:/path}, or set " + Source.variable(path(key)),
          "***",
          value.origin());
    } else if (value.text().isEmpty()) {
      source.problem(path(key), "must not be empty", "", value.origin());
    }
    return new Secret(value.text());
  }

  /** Whether a key has keys of its own. */
  boolean isSection(String key) {
    known.add(key);
    return entries.get(key) instanceof YamlNode.Mapping;
  }

  /** The section below a key; without entries if it is not there. */
  Section section(String key) {
    known.add(key);
    YamlNode node = entries.get(key);
    if (node instanceof YamlNode.Mapping mapping) {
      return new Section(source, path(key), mapping.entries());
    }
    boolean nothing = node == null || (node instanceof YamlNode.Scalar s && s.empty());
    if (!nothing) {
      problem(key, "must be a section with keys of its own");
    }
    return new Section(source, path(key), Map.of());
  }

  /** Sections under names that the file chooses. */
  Map<String, Section> sections(String key) {
    Section parent = section(key);
    Map<String, Section> sections = new LinkedHashMap<>();
    parent.entries.keySet().forEach(name -> sections.put(name, parent.section(name)));
    return sections;
  }

  /** Texts under names that the file chooses. */
  Map<String, String> texts(String key) {
    Section parent = section(key);
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : parent.entries.keySet()) {
      parent.text(name).ifPresent(text -> texts.put(name, text));
    }
    return texts;
  }

  /** A list of texts; in the environment separated by commas. */
  List<String> list(String key) {
    known.add(key);
    Optional<RawValue> override = source.override(path(key));
    if (override.isPresent()) {
      RawValue value = override.get();
      source.setting(path(key), value.shown(), value.origin());
      return Arrays.stream(value.text().split(",", -1)).map(String::strip).toList();
    }
    if (entries.get(key) instanceof YamlNode.Sequence sequence) {
      return items(key, sequence);
    }
    return text(key).map(List::of).orElse(List.of());
  }

  /** A list of sections. */
  List<Section> sectionList(String key) {
    known.add(key);
    List<Section> sections = new ArrayList<>();
    YamlNode node = entries.get(key);
    if (node instanceof YamlNode.Sequence sequence) {
      for (YamlNode item : sequence.items()) {
        String name = key + "[" + sections.size() + "]";
        Section parent = new Section(source, path, Map.of(name, item));
        sections.add(parent.section(name));
      }
    } else if (node != null) {
      problem(key, "must be a list of sections");
    }
    return sections;
  }

  /** Reports a broken rule about a key, with the value as it stands. */
  void problem(String key, String rule) {
    YamlNode node = entries.get(key);
    Optional<RawValue> override = source.override(path(key));
    if (override.isPresent()) {
      source.problem(path(key), rule, override.get().shown(), override.get().origin());
    } else if (node instanceof YamlNode.Scalar scalar) {
      source.problem(path(key), rule, scalar.text(), "line " + scalar.line());
    } else {
      source.problem(path(key), rule, "", node == null ? "" : "line " + node.line());
    }
  }

  void problem(String key, String rule, String value) {
    YamlNode node = entries.get(key);
    source.problem(path(key), rule, value, node == null ? "" : "line " + node.line());
  }

  void warn(String warning) {
    source.warn(warning);
  }

  /** Reports the keys that nobody asked for. */
  void done() {
    for (Map.Entry<String, YamlNode> entry : entries.entrySet()) {
      if (!known.contains(entry.getKey())) {
        unknown(entry.getKey(), entry.getValue(), known);
      }
    }
  }

  private void unknown(String key, YamlNode node, Collection<String> candidates) {
    String hint =
        Closest.to(key, candidates)
            .map(name -> "did you mean '" + name + "'?")
            .orElseGet(() -> "known here: " + String.join(", ", candidates));
    source.problem(path(key), "is not a known key; " + hint, "", "line " + node.line());
  }

  private List<String> items(String key, YamlNode.Sequence sequence) {
    List<String> texts = new ArrayList<>();
    for (YamlNode item : sequence.items()) {
      String name = key + "[" + texts.size() + "]";
      texts.add(new Section(source, path, Map.of(name, item)).text(name).orElse(""));
    }
    return texts;
  }

  private <T> Optional<T> read(
      String key, Function<String, Optional<T>> form, String rule, Function<T, String> print) {
    known.add(key);
    Optional<RawValue> raw = raw(key);
    if (raw.isEmpty()) {
      return Optional.empty();
    }
    RawValue value = raw.get();
    int before = source.problems().size();
    Optional<T> parsed = form.apply(value.text());
    String shown = value.outside() ? value.shown() : parsed.map(print).orElse(value.shown());
    source.setting(path(key), shown, value.origin());
    if (parsed.isEmpty() && source.problems().size() == before) {
      source.problem(path(key), rule, value.shown(), value.origin());
    }
    return parsed;
  }

  private Optional<RawValue> raw(String key) {
    YamlNode node = entries.get(key);
    if (node instanceof YamlNode.Scalar scalar && !scalar.empty()) {
      return source.value(path(key), scalar);
    }
    Optional<RawValue> override = source.override(path(key));
    if (override.isEmpty() && node != null) {
      source.problem(
          path(key),
          node instanceof YamlNode.Scalar
              ? "has no value: give one or remove the key"
              : "must be one value",
          "",
          "line " + node.line());
    }
    return override;
  }

  private <T extends Comparable<T>> Optional<T> unit(
      String key, Optional<T> value, T least, T most, Function<T, String> print) {
    boolean within =
        value.isEmpty() || (value.get().compareTo(least) >= 0 && value.get().compareTo(most) <= 0);
    if (!within) {
      problem(key, "must be from " + print.apply(least) + " to " + print.apply(most));
      return Optional.empty();
    }
    return value;
  }

  private <T> T fallback(String key, T fallback, String shown) {
    source.setting(path(key), shown, "default");
    return fallback;
  }
}

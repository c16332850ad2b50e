package io.waybill.server.config;

import io.waybill.server.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What all sections of one configuration share: the environment, the problems, the outcome. */
final class Source {
  static final String PREFIX = "WAYBILL_";
  private static final int MOST_PROBLEMS = 200;

  private final Map<String, String> environment;
  private final Placeholders placeholders;
  private final Set<String> used = new TreeSet<>();
  // A value that is looked at twice is reported once.
  private final Set<Problem> problems = new LinkedHashSet<>();
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  Source(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.placeholders = new Placeholders(this.environment);
  }

  /** The value for a path: the environment's if it has one, else the file's. */
  Optional<RawValue> value(String path, YamlNode.Scalar inFile) {
    return override(path).or(() -> resolve(path, inFile.text(), "line " + inFile.line()));
  }

  Optional<RawValue> override(String path) {
    String variable = variable(path);
    String text = environment.get(variable);
    if (text == null) {
      return Optional.empty();
    }
    used.add(variable);
    return resolve(path, text, variable).map(value -> value.fromOutside());
  }

  /** Whether the environment overrides the path or anything below it. */
  boolean overrides(String path) {
    String variable = variable(path);
    return environment.containsKey(variable)
        || environment.keySet().stream().anyMatch(name -> name.startsWith(variable + "_"));
  }

  /** Variables with our prefix that named no setting. */
  Set<String> unusedVariables() {
    Set<String> unused = new TreeSet<>(environment.keySet());
    unused.removeIf(name -> !name.startsWith(PREFIX));
    unused.removeAll(used);
    return unused;
  }

  void problem(String path, String rule, String value, String origin) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(
          new Problem(Printable.of(path), rule, Printable.of(value), Printable.of(origin)));
    }
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  void setting(String path, String value, String origin) {
    settings.put(path, new Setting(path, value, origin));
  }

  List<Problem> problems() {
    return List.copyOf(problems);
  }

  List<String> warnings() {
    return warnings;
  }

  List<Setting> settings() {
    return List.copyOf(settings.values());
  }

  private Optional<RawValue> resolve(String path, String text, String origin) {
    try {
      String resolved = placeholders.resolve(text);
      return Optional.of(new RawValue(resolved, text, origin, Placeholders.in(text)));
    } catch (UnresolvedException e) {
      problem(path, e.rule(), "", origin);
      return Optional.empty();
    }
  }

  static String variable(String path) {
    return PREFIX + path.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}

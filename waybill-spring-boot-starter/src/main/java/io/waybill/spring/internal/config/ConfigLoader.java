package io.waybill.spring.internal.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Reads a configuration into a record with Spring Boot's own support for files, imports, profiles
 * and variables, and reports all its problems together. Needs no application context.
 *
 * <p>Records are made of texts, numbers, true or false, times, sizes, enums, other records, lists
 * and maps; defaults are those of {@code @DefaultValue}. Immutable; threads may share it.
 *
 * @param <T> the record
 */
public final class ConfigLoader<T> {
  private final String prefix;
  private final Class<T> type;
  private final Rules rules;
  private final Set<String> others;

  private ConfigLoader(String prefix, Class<T> type, Rules rules, Set<String> others) {
    this.prefix = prefix;
    this.type = type;
    this.rules = rules;
    this.others = others;
  }

  /**
   * A loader.
   *
   * @param prefix first word of the record's keys
   * @param type the record
   * @param <T> the record
   * @return a loader without further rules
   */
  public static <T> ConfigLoader<T> of(String prefix, Class<T> type) {
    return new ConfigLoader<>(prefix, type, Rules.NONE, Set.of());
  }

  /**
   * Names of maps are identifiers: {@code [a-z][a-z0-9-]{0,62}}.
   *
   * @param maps keys of maps below the prefix, with * for each name that the user chose
   * @return a loader with this rule
   */
  public ConfigLoader<T> identifiers(String... maps) {
    return with(new Rules(Set.of(maps), rules.allowed(), rules.secrets(), rules.own()));
  }

  /**
   * Only some names are allowed in a map, wherever its entries come from.
   *
   * @param map key of the map below the prefix, with * for each name that the user chose
   * @param list the names
   * @return a loader with this rule
   */
  public ConfigLoader<T> allow(String map, AllowList list) {
    Map<String, AllowList> all = new HashMap<>(rules.allowed());
    all.put(map, list);
    return with(new Rules(rules.identifiers(), Map.copyOf(all), rules.secrets(), rules.own()));
  }

  /**
   * Keys that end with these words are secrets, like those that end with password, passphrase,
   * secret, token, api-key, jaas-config or credentials.
   *
   * @param words the words
   * @return a loader with this rule
   */
  public ConfigLoader<T> secrets(String... words) {
    return with(new Rules(rules.identifiers(), rules.allowed(), List.of(words), rules.own()));
  }

  /**
   * Names variables that begin like the prefix but belong to other programs.
   *
   * @param variables names
   * @return a loader with this rule
   */
  public ConfigLoader<T> ownVariables(String... variables) {
    return with(
        new Rules(rules.identifiers(), rules.allowed(), rules.secrets(), Set.of(variables)));
  }

  /**
   * Keys of a file below these words are checked by the metadata of the jars on the class path.
   *
   * @param words first words of keys, for example server
   * @return a loader that refuses any other first word
   */
  public ConfigLoader<T> others(String... words) {
    return new ConfigLoader<>(prefix, type, rules, Set.of(words));
  }

  private ConfigLoader<T> with(Rules more) {
    return new ConfigLoader<>(prefix, type, more, others);
  }

  /**
   * Reads a file, what it imports, and variables. The file itself must not contain secrets.
   *
   * @param file YAML or properties; as YAML if its name does not say
   * @param variables environment variables, which win
   * @return the configuration; a file that cannot be read is one of its problems
   */
  public LoadedConfig<T> load(Path file, Map<String, String> variables) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      Problem problem = new Problem("", "cannot be read", "", "");
      return refused(List.of(problem), file.toString());
    }
    return load(() -> Sources.of(file, own(variables)), file.toString());
  }

  /**
   * Reads variables, and what they import.
   *
   * @param variables environment variables
   * @return the configuration; an import that cannot be read is one of its problems
   */
  public LoadedConfig<T> load(Map<String, String> variables) {
    return load(() -> Sources.of(own(variables)), "by variables");
  }

  /** Without SERVER_PORT, say, of a Kubernetes service that is called server. */
  private Map<String, String> own(Map<String, String> variables) {
    Map<String, String> own = new HashMap<>(variables);
    own.entrySet()
        .removeIf(
            each ->
                others.stream()
                    .anyMatch(word -> Variables.injected(word, each.getKey(), each.getValue())));
    return own;
  }

  private LoadedConfig<T> load(Supplier<Sources> reading, String name) {
    Sources sources;
    try {
      sources = reading.get();
    } catch (CheckedFiles.RefusedException e) {
      return refused(e.problems(), name);
    }
    Report report = new Report();
    Keys keys = keys();
    Map<String, Entry> entries = new Collector(sources, keys, rules, report, false).collect();
    LoadedConfig<T> config = config(keys, sources, report, entries, name);
    Set<String> words = new HashSet<>(others);
    words.add(prefix);
    new OtherKeys(sources, prefix, words, new Secrets(rules.secrets()), report).check();
    return config;
  }

  private LoadedConfig<T> refused(List<Problem> problems, String name) {
    Report report = new Report();
    problems.forEach(problem -> report.add(problem.key(), problem, 0));
    return unbound(keys(), Sources.of(new StandardEnvironment()), report, Map.of(), name);
  }

  /**
   * Checks the keys below the prefix in the environment of an application.
   *
   * @param environment the application's
   * @return the configuration
   */
  public LoadedConfig<T> check(ConfigurableEnvironment environment) {
    Report report = new Report();
    Keys keys = keys();
    Sources sources = Sources.of(environment);
    Map<String, Entry> entries = new Collector(sources, keys, rules, report, true).collect();
    return config(keys, sources, report, entries, "");
  }

  private Keys keys() {
    return new Keys(prefix, Shape.of(type), rules.identifiers());
  }

  private LoadedConfig<T> config(
      Keys keys, Sources sources, Report report, Map<String, Entry> entries, String file) {
    LoadedConfig<T> config = unbound(keys, sources, report, entries, file);
    config.bind(type);
    return config;
  }

  private LoadedConfig<T> unbound(
      Keys keys, Sources sources, Report report, Map<String, Entry> entries, String file) {
    Values values = new Values(entries, sources, rules, report);
    String title =
        file.isEmpty()
            ? ConfigException.TITLE
            : "Configuration " + Printable.of(file) + " is refused:";
    return new LoadedConfig<>(
        keys, sources, entries, values, report, title, ConfigException.ACTION);
  }
}

package io.waybill.spring.internal.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Gathers the values below a prefix from all sources. The first source that has a value wins; a
 * list comes from one source as a whole.
 */
final class Collector {
  private final Sources sources;
  private final Keys keys;
  private final Rules rules;
  private final Report report;
  private final boolean application;
  private final Map<String, Set<String>> names = new HashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, PropertySource<?>> lists = new HashMap<>();

  /**
   * A collector.
   *
   * @param application whether Spring Boot binds what is found, by its own reading of names
   */
  Collector(Sources sources, Keys keys, Rules rules, Report report, boolean application) {
    this.sources = sources;
    this.keys = keys;
    this.rules = rules;
    this.report = report;
    this.application = application;
  }

  /** The values, by their keys in the usual form. */
  Map<String, Entry> collect() {
    List<EnumerablePropertySource<?>> all = new ArrayList<>();
    for (PropertySource<?> source : sources.environment().getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> enumerable) {
        all.add(enumerable);
      }
    }
    // Names in maps first: a variable may mean one of them.
    all.forEach(this::names);
    all.forEach(this::source);
    return entries;
  }

  private boolean ours(String name) {
    String prefix = keys.start().key();
    return name.regionMatches(true, 0, prefix, 0, prefix.length())
        && (name.length() == prefix.length() || ".[".indexOf(name.charAt(prefix.length())) >= 0);
  }

  private void names(EnumerablePropertySource<?> source) {
    for (String name : sources.keys(source)) {
      if (ours(name) && keys.locate(name) instanceof Keys.Found found) {
        found
            .path()
            .members()
            .forEach(
                member ->
                    names.computeIfAbsent(member.map(), key -> new TreeSet<>()).add(member.name()));
      }
    }
  }

  private Collection<String> known(Keys.Path map) {
    Set<String> known = new TreeSet<>(names.getOrDefault(map.key(), Set.of()));
    AllowList list = rules.allowed().get(map.pattern());
    if (list != null) {
      known.addAll(list.names(neighbours(map.key())));
    }
    return known;
  }

  private UnaryOperator<String> neighbours(String map) {
    String parent = map.substring(0, map.lastIndexOf('.') + 1);
    return name -> {
      Entry entry = entries.get(parent + name);
      Object value = entry == null ? null : entry.raw();
      for (PropertySource<?> source : sources.environment().getPropertySources()) {
        value = value == null ? source.getProperty(parent + name) : value;
      }
      return value == null ? "" : value.toString();
    };
  }

  private void source(EnumerablePropertySource<?> source) {
    Variables variables = new Variables(keys, this::known);
    boolean environment = source instanceof SystemEnvironmentPropertySource;
    boolean silent = Sources.system(source);
    YamlCheck check = sources.check(source);
    List<String> all = sources.keys(source);
    for (String name : environment ? all.stream().sorted().toList() : all) {
      if (environment && variables.has(name)) {
        variable(source, variables, name);
      } else if (ours(name)) {
        key(source, check, name, silent);
      }
    }
  }

  private void variable(EnumerablePropertySource<?> source, Variables variables, String name) {
    String value = String.valueOf(source.getProperty(name));
    if (rules.own().contains(name) || variables.injected(name, value)) {
      return;
    }
    Keys.Found found = variables.locate(name);
    if (found == null) {
      report.warn(variables.unknown(name));
      return;
    }
    String key = found.path().key();
    add(
        new Entry(
            found.path(), found.shape(), key, value, Place.variable(name), source, false, false));
  }

  private void key(
      EnumerablePropertySource<?> source, @Nullable YamlCheck check, String name, boolean silent) {
    Keys.Result result = keys.locate(name);
    Place place = Place.of(source, name, check);
    if (result instanceof Keys.Wrong wrong) {
      if (!silent) {
        wrong(wrong, check, place);
      }
      return;
    }
    Keys.Found found = (Keys.Found) result;
    Object value = source.getProperty(name);
    String text = value == null ? "" : value.toString();
    String raw = check == null ? text : check.text(name, text);
    boolean literal = source instanceof ConfigTreePropertySource;
    boolean nothing = check != null && check.nothing(name);
    Entry entry =
        new Entry(found.path(), found.shape(), name, raw, place, source, nothing, literal);
    boolean section =
        found.shape() instanceof Shape.Section || found.shape() instanceof Shape.Named;
    // An application may give a whole map as an object.
    if (section && !raw.isEmpty() && !(value instanceof Map)) {
      report.add(entry.key(), problem(name, ValueRules.SECTION, raw, place), place.line());
    } else if (application && dotted(entry)) {
      report.add(
          entry.key(),
          problem(name, "has a name with dots: put it in brackets, " + entry.key(), "", place),
          place.line());
    } else {
      add(entry);
    }
  }

  /** Whether Spring Boot takes a part of a name for the name of a section. */
  private static boolean dotted(Entry entry) {
    return entry.path().members().stream()
        .anyMatch(
            member ->
                member.name().contains(".")
                    && !(entry.shape() instanceof Shape.Value
                        && entry.path().pattern().equals(member.pattern() + ".*"))
                    && !entry.written().contains("[" + member.name() + "]"));
  }

  private void wrong(Keys.Wrong wrong, @Nullable YamlCheck check, Place place) {
    Place key = Place.key(wrong.written(), check);
    Place at = key == null ? place : key;
    report.add(wrong.written(), problem(wrong.written(), wrong.rule(), "", at), at.line());
  }

  private void add(Entry entry) {
    String list = entry.shape() instanceof Shape.Items ? entry.key() : entry.path().list();
    if (list != null
        && lists.putIfAbsent(list, entry.source()) != null
        && !entry.source().equals(lists.get(list))) {
      return;
    }
    Entry before = entries.putIfAbsent(entry.key(), entry);
    if (before != null && before.source().equals(entry.source())) {
      report.add(
          entry.key(),
          problem(
              entry.written(),
              "is there twice, as " + name(before) + " and " + name(entry),
              "",
              entry.place()),
          entry.place().line());
    }
  }

  private static String name(Entry entry) {
    return entry.source() instanceof SystemEnvironmentPropertySource
        ? entry.place().text()
        : Printable.of(entry.written());
  }

  private static Problem problem(String key, String rule, String value, Place place) {
    return new Problem(
        Printable.of(key), Printable.of(rule), Printable.of(Secrets.address(value)), place.text());
  }
}

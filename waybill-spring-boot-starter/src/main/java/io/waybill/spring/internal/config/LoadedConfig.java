package io.waybill.spring.internal.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * A configuration that was read, with all its problems so far. Rules that types cannot express
 * report their problems here, which adds value and origin. Not thread-safe.
 *
 * @param <T> the record
 */
public final class LoadedConfig<T> {
  private final Keys keys;
  private final Sources sources;
  private final Map<String, Entry> entries;
  private final Values values;
  private final Report report;
  private final String title;
  private final String action;
  private @Nullable T value;

  LoadedConfig(
      Keys keys,
      Sources sources,
      Map<String, Entry> entries,
      Values values,
      Report report,
      String title,
      String action) {
    this.keys = keys;
    this.sources = sources;
    this.entries = entries;
    this.values = values;
    this.report = report;
    this.title = title;
    this.action = action;
  }

  void bind(Class<T> type) {
    value = RecordBinding.bind(keys.start().key(), type, values.check(), this::problem);
  }

  /**
   * The record, in which values that are wrong have their defaults; for further rules.
   *
   * @return empty if a record itself refused what it was given
   */
  public Optional<T> partial() {
    return Optional.ofNullable(value);
  }

  /**
   * The record.
   *
   * @return the record of a configuration without problems
   * @throws ConfigException if there are problems, with all of them
   */
  public T get() {
    T bound = value;
    if (bound == null || !report.problems().isEmpty()) {
      throw refused();
    }
    return bound;
  }

  /**
   * A refusal with all problems so far.
   *
   * @return an exception to be thrown or shown
   */
  public ConfigException refused() {
    return new ConfigException(title, action, report.problems());
  }

  /**
   * Reports a broken rule about a key, with its value and origin. Says nothing where the key, a
   * section around it or a key below it has no value that could be checked.
   *
   * @param key the key, prefix included
   * @param rule what does not hold, for example {@code must be at least 5s}
   */
  public void problem(String key, String rule) {
    problem(key, rule, "");
  }

  /**
   * Reports a broken rule about a key, with its origin.
   *
   * @param key the key, prefix included
   * @param rule what does not hold
   * @param value what breaks it: shown for a default, or as a part of a longer value
   */
  public void problem(String key, String rule, String value) {
    String usual = keys.locate(key) instanceof Keys.Found found ? found.path().key() : key;
    if (report.about(usual)) {
      return;
    }
    Entry entry = entries.get(usual);
    Entry near = entry == null ? below(usual) : entry;
    String shown = entry == null ? Printable.of(Secrets.address(value)) : shown(entry, value);
    Place place = near == null ? place(key, value) : near.place();
    String written = entry == null ? usual : entry.written();
    report.add(
        new Problem(Printable.of(written), Printable.of(masked(usual, rule)), shown, place.text()),
        place.line());
  }

  /** Of a key that is none of the record's, or of a default. */
  private Place place(String key, String value) {
    return new Place(value.isEmpty() ? "" : other(key, null).origin(), 0);
  }

  private String shown(Entry entry, String part) {
    String whole = values.shown(entry);
    String text = values.text(entry.key());
    // A part of what is not to be shown is not shown either.
    boolean piece = !part.isEmpty() && whole.equals(text) && whole.contains(part);
    return piece ? Printable.of(part) : whole;
  }

  /** A rule without what placeholders stand for. */
  private String masked(String key, String rule) {
    String masked = rule;
    for (Entry entry : entries.values()) {
      String text = values.text(entry.key());
      if (text != null
          && text.length() > 2
          && entry.key().startsWith(key)
          && !values.shown(entry).equals(text)) {
        masked = masked.replace(text, values.shown(entry));
      }
    }
    return masked;
  }

  private @Nullable Entry below(String key) {
    for (Entry entry : entries.values()) {
      if (entry.key().startsWith(key + ".") || entry.key().startsWith(key + "[")) {
        return entry;
      }
    }
    return null;
  }

  /**
   * Returns the problems so far.
   *
   * @return problems, those of a file in the order of its lines
   */
  public List<Problem> problems() {
    return report.problems();
  }

  /**
   * Returns warnings about settings that are allowed but hardly intended.
   *
   * @return sentences
   */
  public List<String> warnings() {
    return report.warnings();
  }

  /**
   * Adds a warning about a setting that is allowed but hardly intended.
   *
   * @param warning a sentence
   */
  public void warn(String warning) {
    report.warn(warning);
  }

  /**
   * The environment of the values, for callers that read other keys.
   *
   * @return the environment, with the file and what it imports
   */
  public ConfigurableEnvironment environment() {
    return sources.environment();
  }

  /**
   * The effective value of each key. Keys of sections that are absent by default are left out
   * unless a key below them is given.
   *
   * @return settings, in the order of the record
   */
  public List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    settings(keys.root(), keys.start(), settings);
    return settings;
  }

  /**
   * The effective values of foreign keys, for example of Spring Boot: those that a file gives, and
   * those that may come from anywhere.
   *
   * @param words first words of keys
   * @param usual default values of keys
   * @return settings by key
   */
  public List<Setting> settings(Set<String> words, Map<String, Object> usual) {
    Set<String> keys = new TreeSet<>(usual.keySet());
    for (EnumerablePropertySource<?> source : sources.written()) {
      for (String name : source.getPropertyNames()) {
        List<Names.Element> elements = Names.elements(name);
        if (!elements.isEmpty() && words.contains(elements.get(0).text())) {
          keys.add(name);
        }
      }
    }
    return keys.stream().map(key -> other(key, usual.get(key))).toList();
  }

  private Setting other(String key, @Nullable Object usual) {
    ConfigurationPropertyName name = ConfigurationPropertyName.adapt(key, '.');
    for (ConfigurationPropertySource source :
        ConfigurationPropertySources.get(sources.environment())) {
      ConfigurationProperty found = source.getConfigurationProperty(name);
      if (found != null) {
        String value = values.shown(key, String.valueOf(found.getValue()));
        return new Setting(key, value, origin(found));
      }
    }
    return new Setting(key, usual == null ? "" : usual.toString(), "default");
  }

  private static String origin(ConfigurationProperty found) {
    Origin origin = found.getOrigin();
    return origin == null ? "" : Place.text(origin);
  }

  private void settings(Shape shape, Keys.Path path, List<Setting> settings) {
    if (shape instanceof Shape.Section section) {
      section.keys().values().forEach(key -> settings(key, path.key(key.name()), settings));
    } else if (shape instanceof Shape.Named named) {
      names(path.key()).forEach(name -> settings(named.each(), path.named(name), settings));
    } else {
      given(path.key(), settings);
    }
  }

  private void settings(Shape.Key key, Keys.Path path, List<Setting> settings) {
    boolean given = below(path.key()) != null || entries.containsKey(path.key());
    boolean leaf = key.shape() instanceof Shape.Value || key.shape() instanceof Shape.Items;
    if (!given && leaf) {
      settings.add(unset(path.key(), key));
    } else if (given || key.present()) {
      settings(key.shape(), path, settings);
    }
  }

  private static Setting unset(String key, Shape.Key of) {
    String fallback = of.fallback();
    return fallback == null
        ? new Setting(key, "", of.present() ? "default" : "not set")
        : new Setting(key, fallback, "default");
  }

  private List<String> names(String map) {
    return entries.values().stream()
        .flatMap(entry -> entry.path().members().stream())
        .filter(member -> member.map().equals(map))
        .map(Keys.Member::name)
        .distinct()
        .toList();
  }

  /** A value, or the elements of a list. */
  private void given(String key, List<Setting> settings) {
    for (Entry entry : entries.values()) {
      if (entry.key().equals(key) || entry.key().startsWith(key + "[")) {
        settings.add(new Setting(entry.key(), values.shown(entry), entry.place().text()));
      }
    }
  }
}

package io.waybill.spring.internal.config;

import io.waybill.spring.internal.config.Names.Element;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The keys of files that are not ours: those of Spring Boot, and what nobody knows. */
final class OtherKeys {
  private final Sources sources;
  private final String prefix;
  private final Set<String> words;
  private final Secrets secrets;
  private final Report report;
  private final Placeholders placeholders;
  private final Set<String> referred = new HashSet<>();
  private final ClassLoader loader = OtherKeys.class.getClassLoader();
  private @Nullable MetadataCheck metadata;

  /**
   * Keys of others.
   *
   * @param words first words that there are, the prefix among them
   */
  OtherKeys(Sources sources, String prefix, Set<String> words, Secrets secrets, Report report) {
    this.sources = sources;
    this.prefix = prefix;
    this.words = words;
    this.secrets = secrets;
    this.report = report;
    this.placeholders =
        new Placeholders(sources.environment().getPropertySources(), sources.main()::contains);
  }

  void check() {
    List<EnumerablePropertySource<?>> files = sources.written();
    files.forEach(this::referred);
    Set<String> seen = new HashSet<>();
    files.forEach(file -> file(file, seen));
    for (PropertySource<?> source : sources.environment().getPropertySources()) {
      if (Sources.system(source) && source instanceof EnumerablePropertySource<?> system) {
        Arrays.stream(system.getPropertyNames()).sorted().forEach(name -> system(system, name));
      }
    }
  }

  /** A variable or system property, of which others put there what they like: its value alone. */
  private void system(EnumerablePropertySource<?> source, String name) {
    boolean variable = source instanceof SystemEnvironmentPropertySource;
    String first = name.split(variable ? "[_.]" : "[.]", 2)[0].toLowerCase(Locale.ROOT);
    String text = String.valueOf(source.getProperty(name));
    if (first.equals(prefix) || first.length() == name.length() || !words.contains(first)) {
      return;
    }
    String key = variable ? metadata().key(name) : name;
    Placeholders.Resolved resolved = placeholders.resolve(text);
    if (key.isEmpty() || text.isEmpty() || key.startsWith("logging.pattern")) {
      return;
    }
    MetadataCheck.Broken broken =
        resolved.rule() == null
            ? metadata().check(Names.elements(key), resolved.text())
            : new MetadataCheck.Broken(key, resolved.rule(), true);
    if (broken != null && broken.value()) {
      Place place = variable ? Place.variable(name) : Place.of(source, name, null);
      Problem problem =
          new Problem(
              Printable.of(key),
              Printable.of(broken.rule()),
              Printable.of(secrets.shown(key, text)),
              place.text());
      report.add(key, problem, 0);
    }
  }

  private void referred(EnumerablePropertySource<?> source) {
    for (String name : source.getPropertyNames()) {
      referred.addAll(Placeholders.names(String.valueOf(source.getProperty(name))));
    }
  }

  private void file(EnumerablePropertySource<?> source, Set<String> seen) {
    YamlCheck check = sources.check(source);
    for (String name : sources.keys(source)) {
      List<Element> key = Names.elements(name);
      String first = key.isEmpty() ? name : key.get(0).text();
      if (first.equalsIgnoreCase(prefix) || referred.contains(name)) {
        continue;
      }
      if (words.contains(first)) {
        if (seen.add(String.join(".", key.stream().map(Element::text).toList()))) {
          known(source, check, name, key);
        }
      } else if (!(source instanceof ConfigTreePropertySource)) {
        Set<String> near = new TreeSet<>(words);
        String rule = "is not a known key" + Closest.hint(first, near);
        problem(source, check, name, new MetadataCheck.Broken(first, rule, false), "");
      }
    }
  }

  private void known(
      EnumerablePropertySource<?> source,
      @Nullable YamlCheck check,
      String name,
      List<Element> key) {
    Object value = source.getProperty(name);
    String raw = value == null ? "" : value.toString();
    String written = check == null ? raw : check.text(name, raw);
    String shown = secrets.shown(name, written);
    MetadataCheck metadata = metadata();
    Metadata.Described described = metadata.described(key);
    if (described != null && described.deprecation().equals("warning")) {
      String use = described.replacement().isEmpty() ? "" : "; use " + described.replacement();
      report.warn(
          Printable.of(name)
              + " is deprecated ("
              + Place.of(source, name, check).text()
              + ")"
              + use);
    }
    if (sources.main().contains(source) && secrets.is(name, written) && !Placeholders.in(written)) {
      String rule = "is a secret, which must not stand in this file: write ${NAME}";
      problem(source, check, name, new MetadataCheck.Broken(name, rule, true), Secrets.MASK);
      return;
    }
    // Patterns of log lines have signs of their own.
    boolean literal =
        source instanceof ConfigTreePropertySource || name.startsWith("logging.pattern");
    Placeholders.Resolved resolved =
        literal ? new Placeholders.Resolved(raw, null, false) : placeholders.resolve(raw);
    MetadataCheck.Broken broken =
        resolved.rule() == null
            ? broken(metadata, key, resolved.text(), written)
            : new MetadataCheck.Broken(name, resolved.rule(), false);
    if (broken != null) {
      boolean nothing = check != null && check.nothing(name) && broken.value();
      MetadataCheck.Broken said =
          nothing ? new MetadataCheck.Broken(name, ValueRules.NO_VALUE, false) : broken;
      problem(source, check, name, said, said.value() ? shown : "");
    }
  }

  /** What is wrong, both with a value and with the word that YAML takes for true or false. */
  private static MetadataCheck.@Nullable Broken broken(
      MetadataCheck metadata, List<Element> key, String text, String written) {
    MetadataCheck.Broken broken = metadata.check(key, text);
    boolean word = broken != null && !written.equals(text) && !Placeholders.in(written);
    return word ? metadata.check(key, written) : broken;
  }

  private void problem(
      EnumerablePropertySource<?> source,
      @Nullable YamlCheck check,
      String name,
      MetadataCheck.Broken broken,
      String value) {
    Place key = Place.key(broken.written(), check);
    Place place = key == null ? Place.of(source, name, check) : key;
    Problem problem =
        new Problem(
            Printable.of(broken.written()),
            Printable.of(broken.rule()),
            Printable.of(value),
            place.text());
    report.add(broken.written(), problem, place.line());
  }

  private MetadataCheck metadata() {
    MetadataCheck known = metadata;
    if (known == null) {
      known = new MetadataCheck(Metadata.of(loader), loader);
      metadata = known;
    }
    return known;
  }
}

package io.waybill.spring.internal.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.PropertySource;

/** Checks each value by its type, and resolves placeholders. What is wrong is left out. */
final class Values {
  private final Map<String, Entry> entries;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Set<String> badLists = new HashSet<>();
  private final Set<Keys.Member> badNames = new HashSet<>();
  private final Rules rules;
  private final Secrets secrets;
  private final Report report;
  private final Placeholders placeholders;
  private final Set<PropertySource<?>> readable;

  Values(Map<String, Entry> entries, Sources sources, Rules rules, Report report) {
    this.entries = entries;
    this.rules = rules;
    this.secrets = new Secrets(rules.secrets());
    this.report = report;
    this.readable = sources.main();
    this.placeholders =
        new Placeholders(sources.environment().getPropertySources(), readable::contains);
  }

  /** Values for the binder, by their keys in the usual form. */
  Map<String, String> check() {
    entries.values().forEach(this::check);
    texts
        .keySet()
        .removeIf(
            key -> {
              Entry entry = entries.get(key);
              String list = entry == null ? null : entry.path().list();
              return list != null && badLists.contains(list);
            });
    allowed();
    return texts;
  }

  /** A value without its placeholders, or null where it is wrong. */
  @Nullable String text(String key) {
    return texts.get(key);
  }

  /** A value as it may be shown. */
  String shown(Entry entry) {
    return shown(entry.key(), entry.raw());
  }

  /** The same of any key. */
  String shown(String key, String value) {
    return Printable.of(secrets.shown(key, value));
  }

  private void check(Entry entry) {
    for (Keys.Member member : entry.path().members()) {
      if (rules.identifiers().contains(member.pattern())
          && !member.name().matches(Rules.IDENTIFIER)) {
        String rule = "must have names that match " + Rules.IDENTIFIER;
        if (badNames.add(member)) {
          add(entry, member.map(), member.map(), rule, Printable.of(member.name()));
        }
        return;
      }
    }
    if (entry.nothing() && !(entry.shape() instanceof Shape.Section)) {
      if (entry.shape() instanceof Shape.Value) {
        refuse(entry, ValueRules.NO_VALUE, "");
      }
      return;
    }
    if (entry.shape() instanceof Shape.Named) {
      return;
    }
    String text = entry.raw();
    if (!entry.literal()) {
      Placeholders.Resolved resolved = placeholders.resolve(entry.raw());
      if (resolved.rule() != null) {
        refuse(entry, resolved.rule(), "");
        return;
      }
      text = resolved.text();
      if (secret(entry, resolved.readable())) {
        return;
      }
    }
    if (secrets.is(entry.key(), text) && text.isEmpty()) {
      refuse(entry, "must not be empty", "");
      return;
    }
    String broken = broken(entry.shape(), text);
    if (broken == null) {
      texts.put(entry.key(), text);
    } else {
      refuse(entry, broken, shown(entry));
    }
  }

  /** Whether a secret stands where people read it. */
  private boolean secret(Entry entry, boolean behind) {
    if (!readable.contains(entry.source()) || !secrets.is(entry.key(), entry.raw())) {
      return false;
    }
    boolean open = !Placeholders.in(entry.raw()) || behind || Placeholders.fallback(entry.raw());
    if (open) {
      refuse(
          entry,
          "is a secret, which must not stand in this file: write ${NAME}, set "
              + Variables.name(entry.path())
              + ", or import it with configtree:",
          Secrets.MASK);
    }
    return open;
  }

  private static @Nullable String broken(Shape shape, String text) {
    if (shape instanceof Shape.Value value) {
      return ValueRules.broken(value.type(), text);
    }
    if (shape instanceof Shape.Items items && items.each() instanceof Shape.Value value) {
      for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
        String broken = ValueRules.broken(value.type(), item.strip());
        if (broken != null) {
          return broken;
        }
      }
      return null;
    }
    return shape instanceof Shape.Items && !text.isEmpty() ? "must be a list of sections" : null;
  }

  /** Names of maps that only some names may be in. */
  private void allowed() {
    Map<String, Set<String>> lists = new HashMap<>();
    for (Entry entry : entries.values()) {
      for (Keys.Member member : entry.path().members()) {
        AllowList list = rules.allowed().get(member.pattern());
        if (list != null) {
          Set<String> names =
              lists.computeIfAbsent(member.map(), map -> list.names(neighbours(map)));
          if (!names.contains(member.name())) {
            texts.remove(entry.key());
            String rule =
                "must not contain '"
                    + Printable.of(member.name())
                    + "'; allowed are "
                    + String.join(", ", new TreeSet<>(names));
            add(entry, member.map(), member.map(), rule, "");
          }
        }
      }
    }
  }

  private UnaryOperator<String> neighbours(String map) {
    String parent = map.substring(0, map.lastIndexOf('.') + 1);
    return name -> texts.getOrDefault(parent + name, "");
  }

  private void refuse(Entry entry, String rule, String value) {
    String list = entry.path().list();
    if (list != null) {
      badLists.add(list);
    }
    add(entry, entry.key(), entry.written(), rule, value);
  }

  private void add(Entry entry, String key, String written, String rule, String value) {
    Problem problem = new Problem(Printable.of(written), rule, value, entry.place().text());
    report.add(key, problem, entry.place().line());
  }
}

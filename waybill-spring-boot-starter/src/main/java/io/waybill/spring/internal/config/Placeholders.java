package io.waybill.spring.internal.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.PropertySources;
import org.springframework.util.PlaceholderResolutionException;
import org.springframework.util.PropertyPlaceholderHelper;

/**
 * Replaces names in braces after a dollar sign, as Spring does, and says what is wrong with them.
 * The texts of secret files are taken as they are.
 */
final class Placeholders {
  private static final Pattern FORM = Pattern.compile("\\$\\{([^:}]*)(:([^}]*))?}?");
  private static final PropertyPlaceholderHelper HELPER =
      new PropertyPlaceholderHelper("${", "}", ":", '\\', false);

  private final PropertySources sources;
  private final Predicate<PropertySource<?>> readable;

  /**
   * Placeholders of an environment.
   *
   * @param readable whether a source is one that people read, so that no secret may stand there
   */
  Placeholders(PropertySources sources, Predicate<PropertySource<?>> readable) {
    this.sources = sources;
    this.readable = readable;
  }

  /**
   * A text without placeholders.
   *
   * @param text empty if the rule is broken
   * @param rule what is wrong, or null
   * @param readable whether a part of it stands where people read it
   */
  record Resolved(String text, @Nullable String rule, boolean readable) {}

  static boolean in(String text) {
    return text.contains("${");
  }

  /** The names that a text refers to. */
  static Set<String> names(String text) {
    Set<String> names = new HashSet<>();
    Matcher matcher = FORM.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** Whether a placeholder brings its own text, for the case that its name is not set. */
  static boolean fallback(String text) {
    Matcher matcher = FORM.matcher(text);
    while (matcher.find()) {
      String fallback = matcher.group(3);
      if (fallback != null && !fallback.isEmpty() && !in(fallback)) {
        return true;
      }
    }
    return false;
  }

  Resolved resolve(String text) {
    if (!in(text)) {
      return new Resolved(text, null, false);
    }
    if (text.indexOf('}', text.lastIndexOf("${")) < 0) {
      return new Resolved("", "has a placeholder without its closing brace", false);
    }
    Lookup lookup = new Lookup();
    try {
      String resolved = HELPER.replacePlaceholders(text, lookup::find);
      return new Resolved(lookup.literals(resolved), null, lookup.readable);
    } catch (PlaceholderResolutionException e) {
      String name = e.getPlaceholder();
      String why =
          lookup.missing.contains(name) ? ", which is not set" : ", which refers to itself";
      return new Resolved("", "refers to ${" + Printable.of(name) + "}" + why, false);
    }
  }

  private final class Lookup {
    private final Set<String> missing = new HashSet<>();
    private final List<String> literals = new ArrayList<>();
    private boolean readable;

    @Nullable String find(String name) {
      for (PropertySource<?> source : sources) {
        Object value = source.getProperty(name);
        if (value != null) {
          readable |= Placeholders.this.readable.test(source) && !in(value.toString());
          return source instanceof ConfigTreePropertySource
              ? literal(value.toString())
              : value.toString();
        }
      }
      missing.add(name);
      return null;
    }

    /** A sign in the text's place that nobody writes, so that its own signs mean nothing. */
    private String literal(String text) {
      literals.add(text);
      return "\uE000" + (literals.size() - 1) + "\uE001";
    }

    String literals(String text) {
      String out = text;
      for (int i = 0; i < literals.size(); i++) {
        out = out.replace("\uE000" + i + "\uE001", literals.get(i));
      }
      return out;
    }
  }
}

package io.waybill.spring.internal.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Environment variables: capital letters, and _ for whatever separates words. */
final class Variables {
  /** What Kubernetes sets in each container for a service, by the end of the name. */
  private static final Map<Pattern, Pattern> SERVICES =
      Map.of(
          Pattern.compile("_SERVICE_HOST"), Pattern.compile("[0-9A-Fa-f.:]+"),
          Pattern.compile("_SERVICE_PORT(_[A-Z0-9_]+)?"), Pattern.compile("[0-9]{1,5}"),
          Pattern.compile("_PORT(_[0-9]+_(TCP|UDP|SCTP))?"),
              Pattern.compile("(tcp|udp|sctp)://.*", Pattern.CASE_INSENSITIVE),
          Pattern.compile("_PORT_[0-9]+_(TCP|UDP|SCTP)_PROTO"), Pattern.compile("tcp|udp|sctp"),
          Pattern.compile("_PORT_[0-9]+_(TCP|UDP|SCTP)_(PORT|ADDR)"),
              Pattern.compile("[0-9A-Fa-f.:]+"));

  private final Keys keys;
  private final String prefix;
  private final Function<Keys.Path, Collection<String>> names;

  /**
   * Variables of a record.
   *
   * @param names names in a map that are known already
   */
  Variables(Keys keys, Function<Keys.Path, Collection<String>> names) {
    this.keys = keys;
    this.prefix = keys.start().key().toUpperCase(Locale.ROOT) + "_";
    this.names = names;
  }

  boolean has(String variable) {
    return variable.toUpperCase(Locale.ROOT).startsWith(prefix);
  }

  /**
   * Whether a platform set the variable for a service that is called like us, or begins so.
   *
   * @see <a href="https://kubernetes.io/docs/concepts/services-networking/service/">Service</a>
   */
  boolean injected(String variable, String value) {
    return injected(prefix.substring(0, prefix.length() - 1), variable, value);
  }

  /** The same for a service that is called like the first word of keys, or begins so. */
  static boolean injected(String word, String variable, String value) {
    String service = word.toUpperCase(Locale.ROOT) + "(_[A-Z0-9_]+)?";
    return SERVICES.entrySet().stream()
        .anyMatch(
            kind ->
                variable.matches(service + kind.getKey())
                    && kind.getValue().matcher(value).matches());
  }

  /** The setting that a variable names, or null. */
  Keys.@Nullable Found locate(String variable) {
    List<String> words =
        Arrays.stream(variable.substring(prefix.length()).toLowerCase(Locale.ROOT).split("_"))
            .filter(word -> !word.isEmpty())
            .toList();
    return words.isEmpty() ? null : walk(keys.root(), keys.start(), words);
  }

  private Keys.@Nullable Found walk(Shape shape, Keys.Path path, List<String> words) {
    if (words.isEmpty()) {
      boolean value = shape instanceof Shape.Value || shape instanceof Shape.Items;
      return value ? new Keys.Found(path, shape) : null;
    }
    if (shape instanceof Shape.Section section) {
      return section(section, path, words);
    }
    if (shape instanceof Shape.Named named) {
      return named(named, path, words);
    }
    boolean item = shape instanceof Shape.Items && words.get(0).matches("[0-9]{1,9}");
    return item
        ? walk(((Shape.Items) shape).each(), path.item(words.get(0)), rest(words, 1))
        : null;
  }

  private Keys.@Nullable Found section(Shape.Section section, Keys.Path path, List<String> words) {
    for (int end = 1; end <= words.size(); end++) {
      Shape.Key key = section.find(String.join("", words.subList(0, end)));
      if (key != null) {
        Keys.Found found = walk(key.shape(), path.key(key.name()), rest(words, end));
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private Keys.@Nullable Found named(Shape.Named named, Keys.Path path, List<String> words) {
    boolean value = named.each() instanceof Shape.Value;
    for (int end = value ? words.size() : 1; end <= words.size(); end++) {
      String given = String.join("", words.subList(0, end));
      for (String known : names.apply(path)) {
        if (Names.uniform(known).equals(given)) {
          Keys.Found found = walk(named.each(), path.named(known), rest(words, end));
          if (found != null) {
            return found;
          }
        }
      }
    }
    String between = keys.identifier(path) ? "-" : ".";
    for (int end = value ? words.size() : 1; end <= words.size(); end++) {
      String name = String.join(between, words.subList(0, end));
      Keys.Found found = walk(named.each(), path.named(name), rest(words, end));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static List<String> rest(List<String> words, int from) {
    return words.subList(from, words.size());
  }

  /** The variable for a key. */
  static String name(Keys.Path path) {
    return path.key().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_").replaceAll("_$", "");
  }

  /** What to say of a variable that names no setting. */
  String unknown(String variable) {
    List<String> all = new ArrayList<>();
    collect(keys.root(), keys.start(), all);
    String near =
        Closest.to(variable.toUpperCase(Locale.ROOT), all)
            .map(name -> "; did you mean " + name + "?")
            .orElse("");
    return "environment variable "
        + Printable.of(variable)
        + " names no setting and is ignored"
        + near;
  }

  private void collect(Shape shape, Keys.Path path, List<String> all) {
    if (shape instanceof Shape.Section section) {
      section.keys().values().forEach(key -> collect(key.shape(), path.key(key.name()), all));
    } else if (shape instanceof Shape.Named named) {
      Set.copyOf(names.apply(path)).forEach(name -> collect(named.each(), path.named(name), all));
    } else {
      all.add(name(path));
    }
  }
}

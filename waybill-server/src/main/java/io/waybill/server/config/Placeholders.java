package io.waybill.server.config;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces a name in braces after a dollar sign by an environment variable, which may refer to
 * others, and a path after {@code file:} by that file's text, which is taken as it is. Two dollar
 * signs before the brace stand for one and the brace.
 */
final class Placeholders {
  private static final Pattern FORM = Pattern.compile("\\$\\$\\{|\\$\\{([^}]*)}?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final String FILE = "file:";

  private final Map<String, String> environment;

  Placeholders(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Whether the text refers to anything outside itself. */
  static boolean in(String text) {
    return FORM.matcher(text).results().anyMatch(match -> match.group(1) != null);
  }

  /** The text with everything replaced. */
  String resolve(String text) throws UnresolvedException {
    return resolve(text, new ArrayDeque<>());
  }

  private String resolve(String text, Deque<String> open) throws UnresolvedException {
    Matcher matcher = FORM.matcher(text);
    StringBuilder out = new StringBuilder();
    int end = 0;
    while (matcher.find()) {
      out.append(text.substring(end, matcher.start()));
      String name = matcher.group(1);
      out.append(name == null ? "${" : value(name, matcher.group(), open));
      end = matcher.end();
    }
    return out.append(text.substring(end)).toString();
  }

  private String value(String name, String whole, Deque<String> open) throws UnresolvedException {
    if (!whole.endsWith("}")) {
      throw new UnresolvedException("has a placeholder without its closing brace");
    }
    if (name.startsWith(FILE)) {
      return SecretFile.read(name.substring(FILE.length()));
    }
    if (!NAME.matcher(name).matches()) {
      throw new UnresolvedException(
          "has a placeholder that is neither ${NAME} nor ${file:/path} ($${ stands for ${)");
    }
    if (open.contains(name)) {
      throw new UnresolvedException("refers to the variable " + name + ", which refers to itself");
    }
    String value = environment.get(name);
    if (value == null) {
      throw new UnresolvedException("refers to the variable " + name + ", which is not set");
    }
    open.push(name);
    String resolved = resolve(value, open);
    open.pop();
    return resolved;
  }
}

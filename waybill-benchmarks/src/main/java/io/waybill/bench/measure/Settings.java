package io.waybill.bench.measure;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a child process is told at its start. Immutable.
 *
 * @param values by name
 */
public record Settings(Map<String, String> values) {
  /** Copies the values. */
  public Settings {
    values = Map.copyOf(values);
  }

  /**
   * From the arguments of a process.
   *
   * @param arguments {@code name=value} each
   * @return settings
   */
  public static Settings parse(List<String> arguments) {
    Map<String, String> values = new TreeMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      values.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return new Settings(values);
  }

  /**
   * For the command line of a process.
   *
   * @return {@code name=value} each
   */
  public List<String> arguments() {
    return values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
  }

  /**
   * One more.
   *
   * @param name its name
   * @param value its value
   * @return changed copy
   */
  public Settings with(String name, Object value) {
    Map<String, String> more = new TreeMap<>(values);
    more.put(name, value.toString());
    return new Settings(more);
  }

  /**
   * A value that must be there.
   *
   * @param name its name
   * @return its value
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("Setting " + name + " is missing");
    }
    return value;
  }

  /**
   * A whole number that must be there.
   *
   * @param name its name
   * @return its value
   */
  public long number(String name) {
    return Long.parseLong(text(name));
  }

  /**
   * Whether a value is there.
   *
   * @param name its name
   * @return whether it was given
   */
  public boolean has(String name) {
    return values.containsKey(name);
  }
}

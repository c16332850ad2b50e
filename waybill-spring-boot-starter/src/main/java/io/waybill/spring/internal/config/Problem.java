package io.waybill.spring.internal.config;

/**
 * One thing that is wrong with a configuration.
 *
 * @param key the key as it is written, empty for a file as a whole
 * @param rule the rule that is broken
 * @param value the value that breaks it, fit for printing; empty if there is none to show
 * @param origin where the value came from: file and line, or the name of a variable; may be empty
 */
public record Problem(String key, String rule, String value, String origin) {
  @Override
  public String toString() {
    String where = key.isEmpty() ? "the file" : key;
    String but = value.isEmpty() ? "" : ", but is '" + value + "'";
    return where + " " + rule + but + (origin.isEmpty() ? "" : " (" + origin + ")");
  }
}

package io.waybill.server.config;

/**
 * One thing that is wrong with a configuration.
 *
 * @param path dotted path of the value, empty for the file as a whole
 * @param rule the rule that is broken
 * @param value the value that breaks it, fit for printing; empty if there is none to show
 * @param origin where the value came from: a line or an environment variable; may be empty
 */
public record Problem(String path, String rule, String value, String origin) {
  @Override
  public String toString() {
    String where = path.isEmpty() ? "the file" : path;
    String but = value.isEmpty() ? "" : ", but is '" + value + "'";
    return where + " " + rule + but + (origin.isEmpty() ? "" : " (" + origin + ")");
  }
}

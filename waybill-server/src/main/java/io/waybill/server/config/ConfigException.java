package io.waybill.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that was refused, with everything that is wrong with it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;

  /**
   * Lists the problems.
   *
   * @param source the file, or what else was read
   * @param problems all of them
   */
  public ConfigException(String source, List<Problem> problems) {
    super(
        problems.stream()
            .map(problem -> "\n  - " + problem)
            .collect(Collectors.joining("", "Configuration " + source + " is refused:", "")));
    this.problems = List.copyOf(problems);
  }

  /**
   * What is wrong.
   *
   * @return all problems, in the order of the configuration
   */
  public List<Problem> problems() {
    return problems;
  }
}

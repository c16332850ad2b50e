package io.waybill.spring.internal.config;

import io.waybill.spring.WaybillStartException;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that was refused, with everything that is wrong with it. */
public final class ConfigException extends WaybillStartException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;

  /** What is to be done in an application. */
  static final String ACTION =
      "Correct the properties; docs/spring-boot.md lists all keys with their defaults.";

  /** What is said first in an application. */
  static final String TITLE = "Waybill's properties are wrong:";

  /**
   * Problems of an application's properties.
   *
   * @param problems all of them; an origin may be missing
   */
  public ConfigException(List<Problem> problems) {
    this(TITLE, ACTION, problems);
  }

  ConfigException(String title, String action, List<Problem> problems) {
    super(
        problems.stream()
            .map(problem -> "\n  - " + problem)
            .collect(Collectors.joining("", title, "")),
        action,
        null);
    this.problems = List.copyOf(problems);
  }

  /**
   * Returns the problems.
   *
   * @return all problems, those of a file in the order of its lines
   */
  public List<Problem> problems() {
    return problems;
  }
}

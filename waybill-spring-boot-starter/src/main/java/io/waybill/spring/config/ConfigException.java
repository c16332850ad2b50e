package io.waybill.spring.config;

import io.waybill.spring.WaybillStartException;
import java.util.List;
import java.util.stream.Collectors;

/** A configuration that was refused, with everything that is wrong with it. */
public final class ConfigException extends WaybillStartException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;

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
   * What is wrong.
   *
   * @return all problems, those of a file in the order of its lines
   */
  public List<Problem> problems() {
    return problems;
  }
}

package io.waybill;

import io.waybill.observe.Finding;
import java.util.List;
import java.util.stream.Collectors;

/** A relay was not started, because a start-up check found that it could lose events. */
public final class StartRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Finding> findings;

  StartRefusedException(String outbox, List<Finding> findings) {
    super(
        "outbox "
            + outbox
            + ": a start-up check refuses it: "
            + findings.stream().map(Finding::text).collect(Collectors.joining("; ")));
    this.findings = List.copyOf(findings);
  }

  /**
   * The findings that refuse the start.
   *
   * @return findings, at least one
   */
  public List<Finding> findings() {
    return findings;
  }
}

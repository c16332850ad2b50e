package io.waybill.spring.internal.api;

import io.waybill.observe.Finding;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What the start-up checks of a relay find now.
 *
 * @param at when they were made
 * @param relay whether the process that made them runs a relay of the outbox: another one asks with
 *     its own database user, who may have other privileges, and judges its own memory
 * @param items findings, the worst first; none if all is well
 */
public record Checks(Instant at, boolean relay, List<CheckFinding> items) {
  /**
   * A finding.
   *
   * @param check name of the check, stable across releases
   * @param severity whether a relay would start
   * @param subject what it is about
   * @param detail the rule, and how it is
   * @param remedy statement or setting that fixes it
   */
  public record CheckFinding(
      String check, Finding.Severity severity, String subject, String detail, String remedy) {
    private static CheckFinding of(Finding finding) {
      return new CheckFinding(
          finding.check().code(),
          finding.severity(),
          finding.subject(),
          finding.detail(),
          finding.remedy());
    }
  }

  static Checks of(Instant at, boolean relay, List<Finding> findings) {
    return new Checks(at, relay, found(findings));
  }

  /** Findings as they are shown, the worst first. */
  public static List<CheckFinding> found(List<Finding> findings) {
    return findings.stream()
        .sorted(Comparator.comparing(Finding::severity))
        .map(CheckFinding::of)
        .toList();
  }
}

package io.waybill.spring.internal.api;

import io.waybill.observe.Finding;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
   * @param command what can be run as it stands, in the database or a shell, or null
   */
  public record CheckFinding(
      String check,
      Finding.Severity severity,
      String subject,
      String detail,
      String remedy,
      @Nullable String command) {
    private static CheckFinding of(Finding finding) {
      return new CheckFinding(
          finding.check().code(),
          finding.severity(),
          finding.subject(),
          finding.detail(),
          finding.remedy(),
          finding.command());
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

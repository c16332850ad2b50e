package io.waybill.server.command;

import io.waybill.spring.internal.api.Checks.CheckFinding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings of start-up checks as listings show them. */
final class Findings {
  private Findings() {}

  static List<Map<String, String>> rows(String outbox, List<CheckFinding> findings) {
    return findings.stream().map(finding -> row(outbox, finding)).toList();
  }

  private static Map<String, String> row(String outbox, CheckFinding finding) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("outbox", outbox);
    row.put("check", finding.check());
    row.put("severity", finding.severity().name());
    row.put("subject", finding.subject());
    row.put("detail", finding.detail());
    row.put("remedy", finding.remedy());
    return row;
  }
}

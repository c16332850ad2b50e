package io.waybill.server.command;

import io.waybill.observe.Finding;
import io.waybill.server.remote.OutboxAccess;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.api.Checks.CheckFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs the start-up checks alone. */
@Command(
    name = "doctor",
    description = {
      "Run the start-up checks of each outbox and print what they find.",
      "Exit code 1 if a finding forbids the start; warnings alone are 0."
    })
final class DoctorCommand implements Callable<Integer> {
  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    List<Map<String, String>> rows = new ArrayList<>();
    boolean refused = false;
    for (OutboxAccess outbox : options.accesses()) {
      List<CheckFinding> findings = outbox.checks();
      rows.addAll(Findings.rows(outbox.name(), findings));
      refused |=
          findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.REFUSE);
    }
    output.blocks(rows, "All is well.");
    return refused ? ExitCode.FINDINGS : ExitCode.OK;
  }
}

package io.waybill.server.command;

import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import picocli.CommandLine.Option;

/** How carefully a job goes on. */
final class PaceOptions {
  @Option(
      names = "--canary",
      paramLabel = "N",
      defaultValue = "5",
      description = "Events that are tried first, 0 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int canary;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "200",
      description = "Events a second after that, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--stop-after",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Failures of one reason, without a success between, that stop it, 1 to 1,000. Default: ${DEFAULT-VALUE}.")
  private int stopAfter;

  Pace pace() {
    try {
      return new Pace(canary, rate, stopAfter);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "--" + e.getMessage());
    }
  }
}

package io.waybill.server.command;

import io.waybill.admin.Instruction;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every change asks for: a reason, and a yes after the dry run. */
final class ChangeOptions {
  @Option(
      names = "--yes",
      description = "Do it. Without this the command only says what it would do.")
  private boolean yes;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why; written to the audit table with your user name. Needed with --yes.")
  private @Nullable String reason;

  boolean yes() {
    return yes;
  }

  Instruction instruction(String user) {
    if (reason == null || reason.isBlank()) {
      throw new CommandFailure(ExitCode.USAGE, "Say why with --reason; it goes to the audit table");
    }
    return new Instruction(user, reason);
  }
}

package io.waybill.server;

import io.waybill.server.command.Commands;
import io.waybill.server.terminal.CommandContext;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Starts the command line. */
public final class WaybillCommand {
  private WaybillCommand() {}

  /**
   * Runs one command and ends the process with its exit code.
   *
   * @param arguments the command and its options
   */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = Commands.run(CommandContext.ofProcess(), out, err, arguments);
    out.flush();
    System.exit(code);
  }
}

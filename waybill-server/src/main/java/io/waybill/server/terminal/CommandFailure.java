package io.waybill.server.terminal;

/** A command that ends with a message and an exit code. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int exitCode;

  /**
   * Ends the command.
   *
   * @param exitCode one of {@link ExitCode}
   * @param message for the user, without secrets
   */
  public CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The exit code of the process. */
  public int exitCode() {
    return exitCode;
  }
}

package io.waybill.server.terminal;

/** The root command, which knows the environment of its subcommands. */
public interface HasContext {
  /**
   * Returns what the commands use besides their arguments.
   *
   * @return environment and user
   */
  CommandContext context();
}

package io.waybill.server.terminal;

import java.io.Console;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Environment and user that a command runs with.
 *
 * @param environment environment variables
 * @param user who runs the command, for the audit table
 * @param terminal whether the output goes to a terminal
 */
public record CommandContext(Map<String, String> environment, String user, boolean terminal) {
  /** Copies the variables. */
  public CommandContext {
    environment = Map.copyOf(environment);
  }

  /**
   * Without a terminal.
   *
   * @param environment environment variables
   * @param user who runs the command
   */
  public CommandContext(Map<String, String> environment, String user) {
    this(environment, user, false);
  }

  /**
   * Those of this process.
   *
   * @return environment variables and the operating system's user
   */
  public static CommandContext ofProcess() {
    return new CommandContext(
        System.getenv(),
        System.getProperty("user.name", "unknown"),
        Optional.ofNullable(System.console()).map(CommandContext::isTerminal).orElse(false));
  }

  /** Before Java 22 a console is one of a terminal; since then it says whether it is. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /** Those of the command line that a command belongs to. */
  public static CommandContext of(@Nullable CommandSpec spec) {
    Object user = spec == null ? null : spec.root().userObject();
    return user instanceof HasContext root ? root.context() : ofProcess();
  }

  /** Whether lines may be drawn anew and coloured: not on a dumb terminal, nor where refused. */
  public boolean draws() {
    return terminal
        && !"dumb".equals(environment.get("TERM"))
        && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }
}

package io.waybill.server.command;

import java.util.Map;

/**
 * What a command takes from outside its arguments.
 *
 * @param environment environment variables
 * @param user who runs the command, for the audit table
 */
public record Surroundings(Map<String, String> environment, String user) {
  /** Copies the variables. */
  public Surroundings {
    environment = Map.copyOf(environment);
  }

  /**
   * Those of this process.
   *
   * @return environment variables and the operating system's user
   */
  public static Surroundings ofProcess() {
    return new Surroundings(System.getenv(), System.getProperty("user.name", "unknown"));
  }
}

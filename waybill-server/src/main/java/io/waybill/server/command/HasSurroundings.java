package io.waybill.server.command;

/** The root command, which knows what the commands below it run in. */
public interface HasSurroundings {
  /**
   * What the commands take from outside their arguments.
   *
   * @return environment and user
   */
  Surroundings surroundings();
}

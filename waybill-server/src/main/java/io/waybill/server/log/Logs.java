package io.waybill.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Log levels that apply until a relay reads its configuration. */
public final class Logs {
  private Logs() {}

  /** Writes only warnings and errors, for commands whose output is for people or programs. */
  public static void quiet() {
    logger("io.waybill").setLevel(Level.WARN);
    logger(Logger.ROOT_LOGGER_NAME).setLevel(Level.ERROR);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}

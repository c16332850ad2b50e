package io.waybill.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import io.waybill.server.config.LoggingConfig;
import java.net.URL;
import org.slf4j.LoggerFactory;

/** Sets the form and the level of log lines. They go to standard error. */
public final class Logs {
  private Logs() {}

  /**
   * Uses the configured form and level from now on.
   *
   * @param config how to log
   * @throws IllegalStateException if the form's definition is broken
   */
  public static void apply(LoggingConfig config) {
    String name =
        config.format() == LoggingConfig.Format.JSON ? "/waybill-json.xml" : "/logback.xml";
    URL definition = Logs.class.getResource(name);
    if (definition == null
        || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      throw new IllegalStateException("The class path lacks " + name + " or has another logger");
    }
    context.reset();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    try {
      configurator.doConfigure(definition);
    } catch (JoranException e) {
      throw new IllegalStateException("The log definition " + name + " is broken", e);
    }
    logger("io.waybill").setLevel(Level.valueOf(config.level().name()));
  }

  /** Writes warnings and errors alone: for commands whose output is for people or programs. */
  public static void quiet() {
    logger("io.waybill").setLevel(Level.WARN);
    logger(Logger.ROOT_LOGGER_NAME).setLevel(Level.ERROR);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}

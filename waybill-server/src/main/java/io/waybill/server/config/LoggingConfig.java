package io.waybill.server.config;

/**
 * How to log.
 *
 * @param format text for people, JSON for machines
 * @param level least level of Waybill's own lines
 */
public record LoggingConfig(Format format, Level level) {
  /** Form of a log line. */
  public enum Format {
    /** One line of text per entry. */
    TEXT,
    /** One JSON object per entry. */
    JSON
  }

  /** Least level that is written. */
  public enum Level {
    /** Everything, every read and send included. */
    TRACE,
    /** Also one line per event. */
    DEBUG,
    /** Life cycle and everything worse. */
    INFO,
    /** What needs somebody's attention, and everything worse. */
    WARN,
    /** What stopped working. */
    ERROR
  }

  static LoggingConfig read(Section section) {
    LoggingConfig config =
        new LoggingConfig(
            section.choice("format", Format.class, Format.TEXT),
            section.choice("level", Level.class, Level.INFO));
    section.done();
    return config;
  }
}

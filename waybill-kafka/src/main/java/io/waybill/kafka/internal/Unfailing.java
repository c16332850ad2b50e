package io.waybill.kafka.internal;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks that end in no error: one that did would end its thread, or all its repetitions. */
public final class Unfailing {
  private static final Logger LOG = LoggerFactory.getLogger(Unfailing.class);

  private Unfailing() {}

  /**
   * The same task, with its errors told and kept.
   *
   * @param what who it is, to begin a sentence with
   */
  public static Runnable of(String what, Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        tell(what, e);
      }
    };
  }

  private static void tell(String what, Throwable why) {
    try {
      LOG.error("{} failed; it will be repeated", what, why);
    } catch (RuntimeException | Error e) {
      // Without memory for a line of the log, the task is worth more than the line.
    }
  }
}

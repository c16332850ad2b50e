package io.waybill.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One life of the relay or the inbox in the application, from its checks to its stop. It is
 * supervised on a thread of its own: a database or broker that is down delays nothing else.
 */
interface BackgroundRun {
  void start();

  /** Why it does not run, or null. */
  @Nullable String refusal();

  /** Stops; returns whether all work was settled in time. */
  boolean stop(Duration grace);
}

package io.waybill.rabbitmq;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the writer does next.
 *
 * @param together sends for the main channel
 * @param alone send for the channel of suspects, or null
 */
record Burst(List<Send> together, @Nullable Send alone) {
  /** Nothing to write: a channel has to be opened again first. */
  static final Burst REPAIR = new Burst(List.of(), null);

  boolean isEmpty() {
    return together.isEmpty() && alone == null;
  }
}

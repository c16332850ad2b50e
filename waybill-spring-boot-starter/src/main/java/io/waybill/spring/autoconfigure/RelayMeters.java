package io.waybill.spring.autoconfigure;

import io.waybill.observe.RelayListener;

/** Makes the meters of each outbox. */
@FunctionalInterface
interface RelayMeters {
  /**
   * Meters of one outbox.
   *
   * @param outbox its name
   */
  RelayListener of(String outbox);
}

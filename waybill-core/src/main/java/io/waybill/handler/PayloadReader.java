package io.waybill.handler;

import io.waybill.message.Payload;

/**
 * Makes an object of a payload. Thread-safe. With Jackson: {@code payload ->
 * mapper.readValue(payload.bytes(), Order.class)}.
 *
 * @param <T> type of the object
 */
@FunctionalInterface
public interface PayloadReader<T> {
  /**
   * Reads a payload.
   *
   * @param payload bytes and media type; without bytes for a tombstone
   * @return the object
   * @throws Exception if the payload can't be read; the event is then dead-lettered, whatever the
   *     exception
   */
  T read(Payload payload) throws Exception;
}

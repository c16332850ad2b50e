package io.waybill.handler;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;

/**
 * Applies one event whose payload has been read; see {@link EventHandler}.
 *
 * @param <T> type that the payload is read into
 */
@FunctionalInterface
public interface TypedHandler<T> {
  /**
   * Applies an event.
   *
   * @param payload the payload as an object
   * @param event the event
   * @param connection of the transaction
   * @throws Exception to have the event tried again or dead-lettered
   */
  void handle(T payload, ReceivedEvent event, Connection connection) throws Exception;
}

package io.waybill.inbox;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;

/**
 * Applies one event whose payload has been read; see {@link EventHandler}.
 *
 * @param <T> what the payload is read as
 */
@FunctionalInterface
public interface TypedHandler<T> {
  /**
   * Applies an event.
   *
   * @param payload what the event says
   * @param event the event
   * @param connection of the transaction
   * @throws Exception to have the event tried again or given up
   */
  void handle(T payload, ReceivedEvent event, Connection connection) throws Exception;
}

package io.waybill.handler;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;
import java.util.List;

/**
 * Applies several events of one type in one transaction. Called by several threads concurrently,
 * but for each key by one thread at a time.
 */
@FunctionalInterface
public interface BatchHandler {
  /**
   * Applies events, all or none. If it throws, the transaction is rolled back and each event is
   * handled by a separate call.
   *
   * @param events at least one, those of a key in order
   * @param connection of the transaction; committing, rolling back and closing it is refused
   * @throws Exception to have the events handled one by one, and a single event tried again or
   *     dead-lettered
   */
  void handle(List<ReceivedEvent> events, Connection connection) throws Exception;
}

package io.waybill.inbox;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;
import java.util.List;

/**
 * Applies several events of one type in one transaction. Called by several threads at once, for one
 * key by one at a time.
 */
@FunctionalInterface
public interface BatchHandler {
  /**
   * Applies events, all or none: when it throws, the transaction is rolled back and each event is
   * handled by a call of its own.
   *
   * @param events at least one, those of a key in order
   * @param connection of the transaction; committing, rolling back and closing it is refused
   * @throws Exception to have the events handled singly, and a single one tried again or given up
   */
  void handle(List<ReceivedEvent> events, Connection connection) throws Exception;
}

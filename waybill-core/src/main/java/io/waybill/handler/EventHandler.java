package io.waybill.handler;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;

/**
 * Applies one event. Called by several threads concurrently, but for each key by one thread at a
 * time.
 */
@FunctionalInterface
public interface EventHandler {
  /**
   * Applies an event in the transaction that also records it as processed. Everything written on
   * the connection is committed with that record or not at all. Effects elsewhere (mails, calls)
   * happen at least once; pass {@link ReceivedEvent#idempotencyKey()} on with them.
   *
   * @param event the event
   * @param connection of the transaction; committing, rolling back and closing it is refused
   * @throws Exception to have the event tried again or dead-lettered, as the {@link
   *     ErrorClassifier} decides
   */
  void handle(ReceivedEvent event, Connection connection) throws Exception;
}

package io.waybill.inbox;

import io.waybill.message.ReceivedEvent;
import java.sql.Connection;

/** Applies one event. Called by several threads at once, for one key by one at a time. */
@FunctionalInterface
public interface EventHandler {
  /**
   * Applies an event in the transaction that also notes it as processed: what is written on the
   * connection is committed with that note or not at all. Effects elsewhere (mails, calls) happen
   * at least once; pass {@link ReceivedEvent#idempotencyKey()} on with them.
   *
   * @param event the event
   * @param connection of the transaction; committing, rolling back and closing it is refused
   * @throws Exception to have the event tried again or given up, as the {@link ErrorClassifier}
   *     says
   */
  void handle(ReceivedEvent event, Connection connection) throws Exception;
}

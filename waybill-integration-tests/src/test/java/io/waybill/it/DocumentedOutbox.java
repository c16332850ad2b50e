package io.waybill.it;

import io.waybill.proof.system.DocumentedSystem;
import io.waybill.proof.system.DocumentedSystem.Fact;
import io.waybill.proof.system.DocumentedSystem.Kind;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * One outbox as its document has it, from the sides of its writer and of its consumer, who know
 * nothing of Waybill. Events of one key go to one destination.
 */
interface DocumentedOutbox {
  /** Name of the preset. */
  String layout();

  /** Whether the document publishes to RabbitMQ; otherwise it is Kafka. */
  boolean onRabbit();

  /** Members of the documented message. */
  default List<String> fields() {
    return DocumentedSystem.of(layout()).facts(Kind.FIELD).stream().map(Fact::says).toList();
  }

  /** Topics or queues. */
  List<String> destinations();

  /** More lines of the outbox's configuration. */
  String configuration();

  /** The document's INSERT, state and times left to the table's defaults. */
  String insert(boolean postgres);

  /** Binds an event; numbers rise from event to event. */
  void bind(PreparedStatement insert, Written event, long number) throws SQLException;

  /** Reads a message in the documented form; refuses any other. */
  Written read(Message message);

  /** Query for the number of rows whose columns are not as documented for a published event. */
  String unfinished();
}

package io.waybill.torture;

import io.waybill.admin.Admin;
import io.waybill.database.ConnectionFactory;
import io.waybill.proof.oracle.Spy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The outbox table of a run, from the sides of its writer, its consumer and its judge. */
interface OutboxTable {
  void create(Connection connection) throws SQLException;

  /** Topics, or queues of the same names as their routing keys. */
  List<String> destinations();

  /** Name of the topic exchange of a destination, where the broker has exchanges. */
  String exchange(String destination);

  /** Which of the destinations the events of a key go to. */
  default String destination(int key) {
    return destinations().get(key % destinations().size());
  }

  /** Lines of the outbox's configuration. */
  String configuration();

  void append(Connection connection, List<Planned> events) throws SQLException;

  Spy.Fingerprint fingerprint();

  /** SQL of a person for a payload, if the row is changed, and an event id; none: there is none. */
  default Optional<String> byHand(Hand hand) {
    return Optional.empty();
  }

  /** An operator over some connections; none: people do nothing here. */
  default Optional<Admin> admin(ConnectionFactory connections) {
    return Optional.empty();
  }

  /**
   * What {@link OldEvents} need.
   *
   * @param topic where they go; its broker deletes by time
   * @param age SQL that makes an event older by so many hours and delays it by so many seconds, by
   *     its id
   */
  record Aging(String topic, String age) {}

  /** Present where events can be made old, and a broker deletes by time. */
  default Optional<Aging> aging() {
    return Optional.empty();
  }

  /** Whether events have headers and may be any bytes. */
  boolean anyBytes();

  /** What the names of the tables beside the outbox begin with. */
  String prefix();

  /** Query for the number of rows that are not yet settled. */
  String unsettled();

  /** Query for the number of rows that were given up. */
  String dead();

  /** Query for the number of rows whose keys wait for an operator. */
  String parked();

  /** Query for the number of notes about rows, which should be none when all are published. */
  default Optional<String> traces() {
    return Optional.empty();
  }

  /** Query for the ids of rows that the table calls published; none when they are deleted. */
  String published();

  /** Connections to the database that each relay holds for this table, as documented. */
  int connections();

  /** Whether published rows stay. */
  boolean keeps();
}

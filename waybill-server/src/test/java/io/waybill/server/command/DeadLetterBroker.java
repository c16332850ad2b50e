package io.waybill.server.command;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A real broker whose dead letters are looked at. */
interface DeadLetterBroker extends AutoCloseable {
  /**
   * A message that came back.
   *
   * @param body its body
   * @param headers its headers
   * @param at its time
   */
  record Came(byte[] body, Map<String, String> headers, Instant at) {
    String id() {
      return String.valueOf(headers.get("waybill-event-id"));
    }
  }

  /** The broker's part of the configuration of an outbox, indented by four. */
  String config();

  Transport transport();

  /** Creates a topic or queue of a single order. */
  void create(String name) throws Exception;

  /** Takes a topic or queue away. */
  void drop(String name) throws Exception;

  void send(Outgoing message) throws Exception;

  /** Where a message for a topic or queue goes. */
  Destination destination(String name);

  /** Everything that has come to a topic or queue since it was created, once it is so much. */
  List<Came> come(String name, int count) throws Exception;

  /** How many messages have come to a topic, or lie in a queue. */
  long count(String name) throws Exception;

  /** Whether letters stay when they were sent again, and several consumers read a source. */
  boolean keeps();

  Subscriber subscriber(String consumer, String source);

  Publisher publisher();

  @Override
  void close();
}

package io.waybill.it;

import io.waybill.proof.oracle.Spy;
import java.util.List;

/** What the fault suite needs of a broker. */
interface BrokerUnderTest extends AutoCloseable {
  /** Kind and address, for relays that are put together in code: {@code kafka host:port}. */
  String address();

  /** Address that the spy and the relays use. */
  String configuration();

  /** Route to the destination whose name is the event type. */
  String route();

  void create(String destination);

  /** A destination of which each message is definitely refused until it is opened. */
  void createClosed(String destination);

  /** From now on the destination takes messages. */
  void open(String destination);

  /** Payload bytes that the broker or its client refuses. */
  int tooLarge();

  Spy spy(List<String> destinations);

  Inbox inbox(String destination);

  void kill();

  void start();

  @Override
  void close();
}

package io.waybill.testkit;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import java.util.List;

/** What {@link PublisherContract} needs of a broker and of the publisher under test. */
public interface ContractBroker {
  /**
   * A publisher that nobody has started. Its delivery timeout is short, 3 to 6 seconds, so that the
   * suite need not wait long; everything else is as by default.
   *
   * @return new publisher, closed by the suite
   */
  Publisher publisher();

  /**
   * Creates a destination that stores messages in one sequence per key.
   *
   * @param name short name in lower case, used once
   * @return the destination
   */
  Destination create(String name);

  /**
   * Names a destination that does not exist.
   *
   * @param name short name in lower case, used once
   * @return what {@link #create} would return for that name
   */
  Destination absent(String name);

  /**
   * Everything a destination has stored since it was created, also what an earlier call has
   * returned already.
   *
   * @param destination a destination that {@link #create} has returned
   * @return messages in the order of the broker; only the order of messages of one key counts
   */
  List<Received> stored(Destination destination);

  /**
   * Messages that the broker or its client refuses for a reason of their own: bad names, oversized
   * headers or routing keys.
   *
   * @param good a destination that exists
   * @param firstSendId send id of the first; the others count on from it
   * @return refused messages, one per rule
   */
  List<Outgoing> refused(Destination good, long firstSendId);

  /**
   * Size of a body that the broker refuses.
   *
   * @return bytes
   */
  int tooLargeBody();

  /**
   * Whether messages are kept for a time that begins with the one that they carry.
   *
   * @return true on Kafka, false on RabbitMQ, whose timestamp is the creation time in any case
   */
  boolean keepsByTime();

  /** Kills the broker without warning and waits for its end. */
  void kill();

  /** Starts the killed broker again with the same data and address and waits until it answers. */
  void restart();

  /** Stops the broker's process from running, without ending it. */
  void freeze();

  /** Lets the frozen broker go on. */
  void thaw();

  /**
   * Compares what arrived with what was sent. Brokers that cannot carry a key, a tombstone or
   * millisecond timestamps relax it.
   *
   * @param sent message
   * @param arrived what the broker has stored of it
   */
  default void assertSame(Outgoing sent, Received arrived) {
    ContractAssertions.assertSame(sent, arrived);
  }
}

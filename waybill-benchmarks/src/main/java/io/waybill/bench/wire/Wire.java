package io.waybill.bench.wire;

import io.waybill.message.Header;
import java.util.List;

/** Sends prebuilt messages with the broker's own client. Used by one thread. */
public interface Wire extends AutoCloseable {
  /**
   * A message.
   *
   * @param key partition key
   * @param body payload
   * @param eventId property of the message where the broker has one
   * @param eventType property of the message where the broker has one
   * @param headers headers
   */
  record Message(byte[] key, byte[] body, String eventId, String eventType, List<Header> headers) {}

  /**
   * Sends; blocks while too much is in flight.
   *
   * @param message the message
   * @param confirmed run on a thread of the client once the broker has it
   */
  void send(Message message, Runnable confirmed);

  /**
   * Waits until everything that was sent is confirmed.
   *
   * @throws IllegalStateException when something was refused
   */
  void await();

  @Override
  void close();
}

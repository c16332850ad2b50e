package io.waybill.bench.wire;

import java.util.function.Consumer;

/** Receives everything that reaches a destination from the start. Used by one thread. */
public interface Inflow extends AutoCloseable {
  /**
   * Hands over what has arrived, after waiting for a moment if nothing has.
   *
   * @param each told the body of each message, in order of arrival per key
   */
  void receive(Consumer<byte[]> each);

  @Override
  void close();
}

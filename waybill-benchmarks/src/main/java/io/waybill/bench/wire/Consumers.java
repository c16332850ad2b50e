package io.waybill.bench.wire;

/** The broker's own client in several threads, each of which acknowledges what it has done. */
public interface Consumers extends AutoCloseable {
  /** What a thread does with a message. */
  @FunctionalInterface
  interface Effect {
    /**
     * Returns when it is committed.
     *
     * @param body payload
     * @throws Exception when it is not
     */
    void apply(byte[] body) throws Exception;
  }

  /** Opens what a thread works with. */
  @FunctionalInterface
  interface Effects {
    /**
     * For one thread.
     *
     * @return used by that thread alone
     * @throws Exception when it cannot be opened
     */
    Effect open() throws Exception;
  }

  /** Ends all threads after what they are at, with all of it acknowledged. */
  @Override
  void close();
}

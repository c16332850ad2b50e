package io.waybill.torture;

import io.waybill.proof.oracle.Spy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Topics or queues that consumers read, and those of their dead letters. */
interface Feed extends AutoCloseable {
  /**
   * An event as it is published.
   *
   * @param source topic or queue
   * @param key message key, or null for none
   * @param headers all of them
   * @param body its bytes
   */
  record Message(String source, @Nullable String key, Map<String, String> headers, byte[] body) {}

  List<String> sources();

  /**
   * Publishes, as often as it takes; those of a source and key are stored in the order of calls.
   * One thread.
   *
   * @param stored told of the lane when it is there
   */
  void send(Message message, Consumer<String> stored);

  /** Sends again what was not confirmed in time; to be called often by the thread that sends. */
  void look();

  /** Messages of some sources that no consumer has acknowledged, as far as the broker tells. */
  long unacknowledged(Set<String> sources);

  /** Reads the dead letters. */
  Spy letters();

  /** Gives a topic one or two more partitions. Only where {@link Pair#kafka}. */
  void grow(String topic, int dice);

  /** Deletes a topic and makes it anew, as large as it was. Only where {@link Pair#kafka}. */
  void remake(String topic);

  @Override
  void close();
}

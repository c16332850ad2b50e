package io.waybill.testkit.oracle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A consumer without dedupe: keeps every copy in the order of its arrival. Thread-safe. */
public abstract class Spy implements AutoCloseable {
  private final List<Copy> copies = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  /**
   * Copies seen so far.
   *
   * @return a snapshot, in order of arrival
   */
  public List<Copy> copies() {
    synchronized (copies) {
      return List.copyOf(copies);
    }
  }

  /**
   * Number of distinct events seen so far.
   *
   * @return count
   */
  public long distinct() {
    synchronized (copies) {
      return ids.size();
    }
  }

  /**
   * Takes in one message.
   *
   * @param eventId event id of the message
   * @param key key of the message
   * @param payload payload as it arrived
   */
  protected void saw(String eventId, String key, byte[] payload) {
    Copy copy = new Copy(eventId, key, -1, Ledger.sha256(payload));
    synchronized (copies) {
      copies.add(copy);
      ids.add(eventId);
    }
  }

  /**
   * Takes in a message that the broker delivers again, if it is not known already.
   *
   * @param eventId event id of the message
   * @param key key of the message
   * @param payload payload as it arrived
   */
  protected void sawUnlessKnown(String eventId, String key, byte[] payload) {
    synchronized (copies) {
      if (!ids.contains(eventId)) {
        saw(eventId, key, payload);
      }
    }
  }

  @Override
  public abstract void close();
}

package io.waybill.proof.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A consumer without dedupe: keeps every copy in the order of its arrival. Thread-safe. */
public abstract class Spy implements AutoCloseable {
  private final List<Copy> copies = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final Fingerprint fingerprint;

  /** What a copy is compared by. */
  @FunctionalInterface
  public interface Fingerprint {
    /** The body's bytes alone. */
    Fingerprint OF_BODY =
        message -> Ledger.sha256(message.body() == null ? new byte[0] : message.body());

    /**
     * Makes the fingerprint of a message.
     *
     * @param message the message as it arrived
     * @return its hash
     */
    String of(Message message);
  }

  /**
   * A message as a consumer gets it.
   *
   * @param eventId event id
   * @param key key of the message, or nothing where the broker has none
   * @param headers its headers as texts, the content type among them
   * @param body its body, or null for none
   * @param atMillis when it reached the broker, or this consumer, in milliseconds since the epoch
   */
  public record Message(
      String eventId,
      String key,
      Map<String, String> headers,
      byte @Nullable [] body,
      long atMillis) {}

  /**
   * A spy.
   *
   * @param fingerprint what copies are compared by
   */
  protected Spy(Fingerprint fingerprint) {
    this.fingerprint = fingerprint;
  }

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
   * Copies seen so far, without the first ones.
   *
   * @param index how many to leave out, at most {@link #count()}
   * @return a snapshot, in order of arrival
   */
  public List<Copy> copiesFrom(int index) {
    synchronized (copies) {
      return List.copyOf(copies.subList(index, copies.size()));
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
   * Whether some events were all seen.
   *
   * @param eventIds their ids
   * @return true if so
   */
  public boolean saw(Collection<String> eventIds) {
    synchronized (copies) {
      return ids.containsAll(eventIds);
    }
  }

  /**
   * Number of copies seen so far.
   *
   * @return count
   */
  public int count() {
    synchronized (copies) {
      return copies.size();
    }
  }

  /**
   * Takes in one message.
   *
   * @param message the message
   */
  protected void saw(Message message) {
    Copy copy =
        new Copy(message.eventId(), message.key(), -1, fingerprint.of(message), message.atMillis());
    synchronized (copies) {
      copies.add(copy);
      ids.add(message.eventId());
    }
  }

  /**
   * Takes in a message that the broker delivers again, if it is not known already.
   *
   * @param message the message
   */
  protected void sawUnlessKnown(Message message) {
    synchronized (copies) {
      if (!ids.contains(message.eventId())) {
        saw(message);
      }
    }
  }

  @Override
  public abstract void close();
}

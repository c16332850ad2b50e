package io.waybill.rabbitmq.internal.send;

import io.waybill.broker.PublisherListener;
import java.util.BitSet;

/** Sums up the links: the broker takes messages when all of them can write. Thread-safe. */
public final class Availability {
  private enum State {
    UNKNOWN,
    UP,
    DOWN
  }

  private final PublisherListener listener;
  private final BitSet down;
  private State told = State.UNKNOWN;

  /** Of so many links. */
  public Availability(int links, PublisherListener listener) {
    this.listener = listener;
    this.down = new BitSet(links);
    down.set(0, links);
  }

  /** The share of one link. */
  public Part part(int link) {
    return new Part() {
      @Override
      public void up() {
        Availability.this.up(link);
      }

      @Override
      public void down(String reason) {
        Availability.this.down(link, reason);
      }
    };
  }

  /** The listener is called under the lock, so that it hears the changes in their order. */
  private synchronized void up(int link) {
    down.clear(link);
    if (down.isEmpty() && told != State.UP) {
      told = State.UP;
      listener.available();
    }
  }

  private synchronized void down(int link, String reason) {
    down.set(link);
    if (told != State.DOWN) {
      told = State.DOWN;
      listener.unavailable(reason);
    }
  }

  /** What one link can say. */
  public interface Part {
    /** It can write. */
    void up();

    /** It cannot write. */
    void down(String reason);
  }
}

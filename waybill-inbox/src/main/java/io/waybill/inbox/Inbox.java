package io.waybill.inbox;

import io.waybill.internal.inbox.shell.InboxParts;
import io.waybill.internal.inbox.shell.InboxRunner;
import java.time.Duration;
import java.util.Optional;

/**
 * A running inbox: hands the events of a broker to handlers, each event once, until it is stopped.
 *
 * <pre>{@code
 * Inbox inbox =
 *     Inbox.builder()
 *         .store(store)
 *         .subscriber(subscriber)
 *         .deadLetters(publisher, Transport.KAFKA)
 *         .handler("order.placed", (event, connection) -> reserve(event, connection))
 *         .start();
 * }</pre>
 *
 * One thread decides, and one talks to the database about deferred events. One thread for each
 * worker calls handlers, and uses one connection while it does. Thread-safe.
 */
public final class Inbox implements AutoCloseable {
  private final InboxRunner running;

  Inbox(InboxParts parts) {
    this.running = new InboxRunner(parts);
  }

  /**
   * Starts collecting the parts.
   *
   * @return a builder without parts
   */
  public static InboxBuilder builder() {
    return new InboxBuilder();
  }

  /**
   * Returns what keeps the inbox from making progress. The possible problems:
   *
   * <p>One of the inbox's threads hangs or has ended. Workers are missing because handlers do not
   * return. Something in the inbox failed unexpectedly. The database or the broker does not answer.
   * A lane is stopped. A message can't be finished for twice the handler's time limit, for example
   * because its dead letter is not confirmed. Events wait that long and none is finished.
   *
   * <p>An unexpected failure may have left an event stuck until a restart. It is a problem for ten
   * minutes, and for as long as an event is in memory that came before it.
   *
   * @return one sentence for an operator, or nothing if all is well
   */
  public Optional<String> problem() {
    return running.problem();
  }

  /**
   * Stops the inbox. It accepts no more deliveries, lets running handlers end and acknowledges
   * their events; everything else is released for redelivery. Once the inbox is stopped, further
   * calls return the same result.
   *
   * @param grace longest time to wait
   * @return whether all handlers ended in time
   */
  public boolean stop(Duration grace) {
    return running.stop(grace);
  }

  /** Stops within half a minute. */
  @Override
  public void close() {
    stop(Duration.ofSeconds(30));
  }
}

package io.waybill.inbox;

import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.observe.InboxEvent;
import java.util.List;

/** What an inbox's engine wants done. */
public sealed interface InboxEffect {
  /**
   * Acknowledge deliveries.
   *
   * @param deliveries done with
   */
  record Acknowledge(List<Delivery> deliveries) implements InboxEffect {}

  /**
   * Give deliveries back.
   *
   * @param deliveries to come again
   */
  record GiveBack(List<Delivery> deliveries) implements InboxEffect {}

  /**
   * Stop or go on with deliveries of a lane.
   *
   * @param lane the lane
   * @param held true to stop
   */
  record Hold(String lane, boolean held) implements InboxEffect {}

  /**
   * Do a piece of work; answered by {@link InboxInput.Ended}.
   *
   * @param work the work
   */
  record Run(Work work) implements InboxEffect {}

  /**
   * Send a dead letter; answered by {@link InboxInput.Letter}.
   *
   * @param message the letter
   */
  record Publish(Outgoing message) implements InboxEffect {}

  /**
   * Fetch deferred events; answered by {@link InboxInput.Fetched} or {@link
   * InboxInput.FetchFailed}.
   *
   * @param limit most of them
   */
  record Fetch(int limit) implements InboxEffect {}

  /** Give up all claims of deferred events; answered by {@link InboxInput.Released}. */
  record Release() implements InboxEffect {}

  /**
   * Nothing of revoked lanes is running any more, and what had ended is acknowledged.
   *
   * @param number which revocation
   */
  record LanesQuiet(long number) implements InboxEffect {}

  /**
   * Tell the listener.
   *
   * @param event what happened
   */
  record Notify(InboxEvent event) implements InboxEffect {}

  /** Nothing is running, nothing more will be done. */
  record Stopped() implements InboxEffect {}
}

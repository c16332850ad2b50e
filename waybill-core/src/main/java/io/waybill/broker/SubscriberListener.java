package io.waybill.broker;

import java.util.List;
import java.util.Set;

/**
 * Receives the reports of a {@link Subscriber}, on its thread. All methods except {@link #revoked}
 * only enqueue. None is called before {@link Subscriber#start} or after {@link Subscriber#close}
 * has returned.
 */
public interface SubscriberListener {
  /**
   * Messages have arrived.
   *
   * @param deliveries in the order of their lanes
   */
  void delivered(List<Delivery> deliveries);

  /**
   * Lanes leave for another consumer. Their messages are not delivered any more until they are
   * assigned again, and then with {@link Delivery#redelivered()} where that is possible. If the
   * lanes are not lost yet, the listener may let running handlers finish, within the bound that
   * both sides were built with. Its acknowledgements until it returns are committed before the
   * lanes leave. Lost lanes have already left when this is called; the listener returns
   * immediately, and its acknowledgements are ignored.
   *
   * @param lanes lanes that leave
   * @param lost whether they have already left
   */
  void revoked(Set<String> lanes, boolean lost);

  /** The broker delivers, for the first time or again after an interruption. */
  void available();

  /**
   * The broker can't be reached for now.
   *
   * @param reason one sentence for an operator
   */
  void unavailable(String reason);
}

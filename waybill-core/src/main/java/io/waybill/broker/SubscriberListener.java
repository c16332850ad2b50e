package io.waybill.broker;

import java.util.List;
import java.util.Set;

/**
 * Told by a {@link Subscriber}, on its thread. All methods but {@link #revoked} only enqueue. None
 * is called before {@link Subscriber#start} or after {@link Subscriber#close} has returned.
 */
public interface SubscriberListener {
  /**
   * Messages have come.
   *
   * @param deliveries in the order of their lanes
   */
  void delivered(List<Delivery> deliveries);

  /**
   * Lanes go to somebody else: nothing of theirs is delivered any more until they are assigned
   * again, and then with {@link Delivery#again()} where that is possible.
   *
   * <p>If they are not lost yet, the listener may take its time, within the bound that both sides
   * were built with, to let running handlers finish: what it acknowledges until it returns is
   * committed before the lanes leave. Lanes that are lost already are gone when this is called; the
   * listener returns at once and what it acknowledges is ignored.
   *
   * @param lanes lanes that leave
   * @param lost whether they are gone already
   */
  void revoked(Set<String> lanes, boolean lost);

  /** The broker delivers, or delivers again. */
  void available();

  /**
   * The broker can't be reached for now.
   *
   * @param reason one sentence for an operator
   */
  void unavailable(String reason);
}

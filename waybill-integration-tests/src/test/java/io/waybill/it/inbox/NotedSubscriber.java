package io.waybill.it.inbox;

import io.waybill.broker.Delivery;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import io.waybill.it.ForwardingSubscriber;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A subscriber that prints how many messages come, and each lane when its first ones come and when
 * they do so again.
 */
final class NotedSubscriber extends ForwardingSubscriber {
  /** What stands before the name of a lane. */
  static final String TOOK = "took lane ";

  /** What stands before a number of messages. */
  static final String RECEIVED = "received ";

  NotedSubscriber(Subscriber subscriber) {
    super(subscriber);
  }

  @Override
  public void start(SubscriberListener listener) {
    subscriber.start(new Noting(listener));
  }

  private static final class Noting implements SubscriberListener {
    private final SubscriberListener listener;
    private final Set<String> lanes = new HashSet<>();

    Noting(SubscriberListener listener) {
      this.listener = listener;
    }

    @Override
    public void delivered(List<Delivery> deliveries) {
      System.out.println(RECEIVED + deliveries.size());
      for (Delivery delivery : deliveries) {
        if (lanes.add(delivery.lane())) {
          System.out.println(TOOK + delivery.lane());
        }
      }
      listener.delivered(deliveries);
    }

    @Override
    public void revoked(Set<String> left, boolean lost) {
      lanes.removeAll(left);
      listener.revoked(left, lost);
    }

    @Override
    public void available() {
      listener.available();
    }

    @Override
    public void unavailable(String reason) {
      listener.unavailable(reason);
    }
  }
}

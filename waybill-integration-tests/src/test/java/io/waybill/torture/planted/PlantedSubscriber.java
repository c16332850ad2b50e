package io.waybill.torture.planted;

import io.waybill.broker.Delivery;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import io.waybill.it.ForwardingSubscriber;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A subscriber with a bug. */
final class PlantedSubscriber extends ForwardingSubscriber {
  private final ConsumerBug bug;
  private final Map<String, Long> highest = new HashMap<>();

  PlantedSubscriber(Subscriber subscriber, ConsumerBug bug) {
    super(subscriber);
    this.bug = bug;
  }

  @Override
  public void start(SubscriberListener listener) {
    subscriber.start(
        new SubscriberListener() {
          @Override
          public void delivered(List<Delivery> deliveries) {
            List<Delivery> handled = new ArrayList<>();
            deliveries.forEach(delivery -> take(delivery, handled));
            listener.delivered(handled);
          }

          @Override
          public void revoked(Set<String> lanes, boolean lost) {
            listener.revoked(lanes, lost);
          }

          @Override
          public void available() {
            listener.available();
          }

          @Override
          public void unavailable(String reason) {
            listener.unavailable(reason);
          }
        });
  }

  /** On the subscriber's thread. */
  private void take(Delivery delivery, List<Delivery> handled) {
    switch (bug) {
      case ACKNOWLEDGES_FIRST -> {
        subscriber.acknowledge(List.of(delivery));
        handled.add(delivery);
      }
      case LOSES_KEYS -> handled.add(withoutKey(delivery));
      case BELIEVES_POSITIONS -> {
        long before = highest.getOrDefault(delivery.lane(), -1L);
        highest.put(delivery.lane(), Math.max(before, delivery.position()));
        skipIf(delivery.position() <= before && !delivery.redelivered(), delivery, handled);
      }
      case IGNORES_NEW_PARTITIONS ->
          skipIf(ConsumerBug.isNewPartition(delivery), delivery, handled);
      default -> throw new IllegalStateException(bug + " is no bug of subscribers");
    }
  }

  private void skipIf(boolean skipped, Delivery delivery, List<Delivery> handled) {
    if (skipped) {
      subscriber.acknowledge(List.of(delivery));
    } else {
      handled.add(delivery);
    }
  }

  private static Delivery withoutKey(Delivery delivery) {
    return new Delivery(
        delivery.source(),
        delivery.lane(),
        delivery.position(),
        null,
        delivery.body(),
        delivery.headers(),
        delivery.timestampMicros(),
        delivery.redelivered(),
        delivery.deliveries(),
        delivery.token());
  }
}

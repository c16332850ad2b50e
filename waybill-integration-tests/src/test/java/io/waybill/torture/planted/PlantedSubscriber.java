package io.waybill.torture.planted;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A subscriber with a bug. */
final class PlantedSubscriber implements Subscriber {
  private final Subscriber subscriber;
  private final ConsumerBug bug;
  private final Map<String, Long> highest = new HashMap<>();

  PlantedSubscriber(Subscriber subscriber, ConsumerBug bug) {
    this.subscriber = subscriber;
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
        skipIf(delivery.position() <= before && !delivery.again(), delivery, handled);
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
        delivery.again(),
        delivery.deliveries(),
        delivery.token());
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    subscriber.acknowledge(deliveries);
  }

  @Override
  public void giveBack(List<Delivery> deliveries) {
    subscriber.giveBack(deliveries);
  }

  @Override
  public void hold(String lane, boolean held) {
    subscriber.hold(lane, held);
  }

  @Override
  public Map<String, Long> lag() {
    return subscriber.lag();
  }

  @Override
  public boolean canRewind() {
    return subscriber.canRewind();
  }

  @Override
  public Map<String, Reach> reach() {
    return subscriber.reach();
  }

  @Override
  public void rewind(Map<String, Long> positions) {
    subscriber.rewind(positions);
  }

  @Override
  public Map<String, Duration> retention() {
    return subscriber.retention();
  }

  @Override
  public boolean isOnlyOne() {
    return subscriber.isOnlyOne();
  }

  @Override
  public void stop() {
    subscriber.stop();
  }

  @Override
  public void close() {
    subscriber.close();
  }
}

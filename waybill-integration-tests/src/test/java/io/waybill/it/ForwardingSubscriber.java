package io.waybill.it;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.broker.Subscriber;
import io.waybill.broker.SubscriberListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A subscriber that passes everything on to another one. */
public abstract class ForwardingSubscriber implements Subscriber {
  protected final Subscriber subscriber;

  protected ForwardingSubscriber(Subscriber subscriber) {
    this.subscriber = subscriber;
  }

  @Override
  public void start(SubscriberListener listener) {
    subscriber.start(listener);
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    subscriber.acknowledge(deliveries);
  }

  @Override
  public void release(List<Delivery> deliveries) {
    subscriber.release(deliveries);
  }

  @Override
  public void pause(String lane) {
    subscriber.pause(lane);
  }

  @Override
  public void resume(String lane) {
    subscriber.resume(lane);
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
  public boolean isExclusive() {
    return subscriber.isExclusive();
  }

  @Override
  public Map<String, Duration> retention() {
    return subscriber.retention();
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

package io.waybill.it;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes messages and sends none: what a relay that dies just before the send leaves behind. */
final class SilentPublisher implements Publisher {
  private final AtomicInteger taken = new AtomicInteger();

  int taken() {
    return taken.get();
  }

  @Override
  public void start(PublisherListener listener) {
    listener.available();
  }

  @Override
  public void send(Outgoing message) {
    taken.incrementAndGet();
  }

  @Override
  public int maxInFlightPerKey() {
    return 1;
  }

  @Override
  public Duration deliveryTimeout() {
    return Duration.ofSeconds(10);
  }

  @Override
  public void close() {}
}

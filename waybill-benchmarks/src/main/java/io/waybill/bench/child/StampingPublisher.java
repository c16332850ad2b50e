package io.waybill.bench.child;

import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Stamps;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Notes when the broker's confirm of each event came. */
final class StampingPublisher implements Publisher {
  private final Publisher publisher;
  private final Stamps stamps;
  private final Map<Long, Long> refs = new ConcurrentHashMap<>();

  StampingPublisher(Publisher publisher, Stamps stamps) {
    this.publisher = publisher;
    this.stamps = stamps;
  }

  @Override
  public void start(PublisherListener listener) {
    publisher.start(
        new PublisherListener() {
          @Override
          public void onConfirmation(Confirmation confirmation) {
            Long ref = refs.remove(confirmation.sendId());
            if (ref != null && confirmation instanceof Confirmation.Confirmed) {
              stamps.stamp(ref);
            }
            listener.onConfirmation(confirmation);
          }

          @Override
          public void unavailable(String reason) {
            listener.unavailable(reason);
          }

          @Override
          public void available() {
            listener.available();
          }
        });
  }

  @Override
  public void send(Outgoing message) {
    byte[] body = message.body();
    if (body != null) {
      refs.put(message.sendId(), Ref.find(body));
    }
    publisher.send(message);
  }

  @Override
  public void flush() {
    publisher.flush();
  }

  @Override
  public int maxInFlightPerKey() {
    return publisher.maxInFlightPerKey();
  }

  @Override
  public Duration deliveryTimeout() {
    return publisher.deliveryTimeout();
  }

  @Override
  public void close() {
    publisher.close();
  }
}

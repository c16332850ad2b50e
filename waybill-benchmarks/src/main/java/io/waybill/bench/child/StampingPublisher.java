package io.waybill.bench.child;

import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Stamps;
import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Notes when the broker's confirm of each event came. */
final class StampingPublisher extends ForwardingPublisher {
  private final Stamps stamps;
  private final Map<Long, Long> refs = new ConcurrentHashMap<>();

  StampingPublisher(Publisher publisher, Stamps stamps) {
    super(publisher);
    this.stamps = stamps;
  }

  @Override
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    Long ref = refs.remove(confirmation.sendId());
    if (ref != null && confirmation instanceof Confirmation.Confirmed) {
      stamps.stamp(ref);
    }
    super.outcome(confirmation, listener);
  }

  @Override
  public void send(Outgoing message) {
    byte[] body = message.body();
    if (body != null) {
      refs.put(message.sendId(), Ref.find(body));
    }
    super.send(message);
  }
}

package io.waybill.torture.planted;

import io.waybill.broker.Confirmation;
import io.waybill.broker.ForwardingPublisher;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import org.jspecify.annotations.Nullable;

/** A publisher with a bug. As thread-safe as the one that it decorates. */
public final class PlantedPublisher extends ForwardingPublisher {
  private final Behaviour bug;
  private volatile @Nullable PublisherListener engine;

  /**
   * Decorates.
   *
   * @param publisher the real publisher
   * @param bug what it does wrong
   */
  public PlantedPublisher(Publisher publisher, PlantedBug bug) {
    super(publisher);
    this.bug = bug.behaviour();
  }

  @Override
  public void start(PublisherListener listener) {
    engine = listener;
    super.start(listener);
  }

  @Override
  protected void outcome(Confirmation confirmation, PublisherListener listener) {
    bug.outcome(confirmation, listener::onConfirmation);
  }

  @Override
  public void send(Outgoing message) {
    PublisherListener listener = engine;
    if (listener != null) {
      bug.sent(message, listener::onConfirmation);
    }
    super.send(bug.sending(message));
  }
}

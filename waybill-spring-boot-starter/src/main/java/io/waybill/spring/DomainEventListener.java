package io.waybill.spring;

import java.util.Objects;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Takes events with {@link WaybillEvent} from Spring's {@code ApplicationEventPublisher} to the
 * outbox, in the publishing thread and its transaction. Other events never reach it. Thread-safe.
 */
public final class DomainEventListener implements GenericApplicationListener {
  private final DomainEventPublisher publisher;

  /**
   * Listens for a publisher.
   *
   * @param publisher takes the events
   */
  public DomainEventListener(DomainEventPublisher publisher) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
  }

  // Asked once for each type: the multicaster remembers the answer.
  @Override
  public boolean supportsEventType(ResolvableType eventType) {
    if (!PayloadApplicationEvent.class.isAssignableFrom(eventType.toClass())) {
      return false;
    }
    Class<?> payload = eventType.as(PayloadApplicationEvent.class).getGeneric().toClass();
    return AnnotatedElementUtils.hasAnnotation(payload, WaybillEvent.class);
  }

  /** An event of another thread would be one without the transaction. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    if (event instanceof PayloadApplicationEvent<?> carrier) {
      publisher.publish(carrier.getPayload());
    }
  }
}

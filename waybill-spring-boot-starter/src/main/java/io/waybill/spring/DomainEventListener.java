package io.waybill.spring;

import java.lang.reflect.Modifier;
import java.util.Objects;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Writes events with {@link WaybillEvent} from Spring's {@code ApplicationEventPublisher} to the
 * outbox, in the publishing thread and its transaction. Events that extend Spring's {@code
 * ApplicationEvent} are written as they are. Other events are ignored. Thread-safe.
 */
public final class DomainEventListener implements GenericApplicationListener {
  private final DomainEventPublisher publisher;

  /**
   * Listens for a publisher.
   *
   * @param publisher writes the events
   */
  public DomainEventListener(DomainEventPublisher publisher) {
    this.publisher = Objects.requireNonNull(publisher, "publisher");
  }

  // Asked once for each type: the multicaster remembers the answer.
  @Override
  public boolean supportsEventType(ResolvableType eventType) {
    if (!PayloadApplicationEvent.class.isAssignableFrom(eventType.toClass())) {
      return isMarked(eventType.toClass());
    }
    Class<?> payload = eventType.as(PayloadApplicationEvent.class).getGeneric().toClass();
    // Whoever publishes may give a wider type than the payload's own.
    return isMarked(payload) || !Modifier.isFinal(payload.getModifiers());
  }

  private static boolean isMarked(Class<?> type) {
    return AnnotatedElementUtils.hasAnnotation(type, WaybillEvent.class);
  }

  /** An event of another thread would be one without the transaction. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    if (event instanceof PayloadApplicationEvent<?> carrier && !isMarked(event.getClass())) {
      if (isMarked(carrier.getPayload().getClass())) {
        publisher.publish(carrier.getPayload());
      }
    } else {
      publisher.publish(event);
    }
  }
}

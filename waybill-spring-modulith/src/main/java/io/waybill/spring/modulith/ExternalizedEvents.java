package io.waybill.spring.modulith;

import io.waybill.message.Event;
import io.waybill.spring.DomainEvents;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.WaybillEvent;
import java.util.Objects;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/**
 * Appends the events that Modulith externalises to the outbox, in the publishing thread and its
 * transaction. Type is the simple name of the class that is sent; Modulith's target is the
 * aggregate type and the header {@value #TARGET}, its key the aggregate id. Thread-safe.
 */
final class ExternalizedEvents implements ApplicationListener<PayloadApplicationEvent<?>> {
  /** The header that has Modulith's target. */
  static final String TARGET = "modulith-target";

  private final EventExternalizationConfiguration configuration;
  private final Expressions expressions;
  private final SpringOutbox outbox;
  private final DomainEvents payloads;

  ExternalizedEvents(
      EventExternalizationConfiguration configuration,
      Expressions expressions,
      SpringOutbox outbox,
      DomainEvents payloads) {
    this.configuration = Objects.requireNonNull(configuration, "configuration");
    this.expressions = Objects.requireNonNull(expressions, "expressions");
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.payloads = Objects.requireNonNull(payloads, "payloads");
  }

  /** An event of another thread would be one without the transaction. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  /** What has {@link WaybillEvent} goes to the outbox by itself. */
  @Override
  public void onApplicationEvent(PayloadApplicationEvent<?> carrier) {
    Object published = carrier.getPayload();
    if (!AnnotatedElementUtils.hasAnnotation(published.getClass(), WaybillEvent.class)
        && configuration.supports(published)) {
      outbox.append(event(published));
    }
  }

  private Event event(Object published) {
    Object sent = configuration.map(published);
    RoutingTarget routing = configuration.determineTarget(published);
    String target = Objects.requireNonNull(expressions.text(routing.getTarget(), sent), "target");
    String key = expressions.text(routing.getKey(), sent);
    String type = sent.getClass().getSimpleName();
    Event.Builder event =
        key == null || key.isEmpty() ? Event.builder(type) : Event.builder(type, target, key);
    configuration
        .getHeadersFor(published)
        .forEach((name, value) -> event.header(name, String.valueOf(value)));
    return event.header(TARGET, target).payload(payloads.payload(sent)).build();
  }
}

package io.waybill.spring.modulith;

import io.waybill.message.Event;
import io.waybill.spring.DomainEvents;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.WaybillEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;

/**
 * Appends the events that Modulith externalises to the outbox, in the publishing thread and its
 * transaction. Type is the simple name of the class that is sent; Modulith's target is the
 * aggregate type and the header {@value #TARGET}, its key the aggregate id. Of a message of
 * Spring's its payload is what is sent. Thread-safe.
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
    Object mapped = configuration.map(published);
    RoutingTarget routing = configuration.determineTarget(published);
    String target = Objects.requireNonNull(expressions.text(routing.getTarget(), mapped), "target");
    String key = expressions.text(routing.getKey(), mapped);
    Sent sent = Sent.of(mapped);
    String type = sent.payload().getClass().getSimpleName();
    Event.Builder event =
        key == null || key.isEmpty() ? Event.builder(type) : Event.builder(type, target, key);
    headers(published, mapped, sent)
        .forEach((name, value) -> event.header(name, String.valueOf(value)));
    return event.header(TARGET, target).payload(payloads.payload(sent.payload())).build();
  }

  /** Those of the message, over them those that Modulith knows for either class. */
  private Map<String, Object> headers(Object published, Object mapped, Sent sent) {
    Map<String, Object> headers = new LinkedHashMap<>(sent.headers());
    headers.putAll(configuration.getHeadersFor(published));
    headers.putAll(configuration.getHeadersFor(mapped));
    return headers;
  }
}

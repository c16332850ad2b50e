package io.waybill.spring.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import io.waybill.broker.Publisher;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.TraceContext;
import org.springframework.beans.factory.BeanFactory;

/**
 * What an application observes with.
 *
 * @param registry where observations go
 * @param traces the trace context of the calling thread
 */
record Observations(ObservationRegistry registry, TraceContext traces) {
  static Observations of(BeanFactory beans) {
    return new Observations(
        beans
            .getBeanProvider(ObservationRegistry.class)
            .getIfUnique(() -> ObservationRegistry.NOOP),
        beans.getBeanProvider(TraceContext.class).getIfUnique(() -> TraceContext.NONE));
  }

  SpringOutbox around(SpringOutbox outbox) {
    return SpringOutbox.observed(outbox, registry);
  }

  /** Without traces there is nothing that the relay's meters do not tell. */
  Publisher around(Publisher publisher) {
    return registry == ObservationRegistry.NOOP || traces == TraceContext.NONE
        ? publisher
        : new ObservedPublisher(publisher, this);
  }
}

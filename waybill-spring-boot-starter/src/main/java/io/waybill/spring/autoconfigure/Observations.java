package io.waybill.spring.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import io.waybill.broker.BrokerClient;
import io.waybill.broker.Publisher;
import io.waybill.handler.Interceptor;
import io.waybill.message.Transport;
import io.waybill.spring.CurrentTraceContext;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.inbox.ObservedHandlers;
import io.waybill.spring.observation.AppendObservationConvention;
import io.waybill.spring.observation.ProcessObservationConvention;
import io.waybill.spring.observation.PublishObservationConvention;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/**
 * What an application observes with.
 *
 * @param registry where observations go
 * @param traces the trace context of the calling thread
 * @param append names of appends, or null for the default ones
 * @param publish names of sends, or null
 * @param process names of handlers' calls, or null
 * @param decorator what the application puts around publishers, or null
 */
record Observations(
    ObservationRegistry registry,
    CurrentTraceContext traces,
    @Nullable AppendObservationConvention append,
    @Nullable PublishObservationConvention publish,
    @Nullable ProcessObservationConvention process,
    @Nullable PublisherDecorator decorator) {
  static Observations of(BeanFactory beans) {
    return new Observations(
        beans
            .getBeanProvider(ObservationRegistry.class)
            .getIfUnique(() -> ObservationRegistry.NOOP),
        beans
            .getBeanProvider(CurrentTraceContext.class)
            .getIfUnique(() -> CurrentTraceContext.NONE),
        beans.getBeanProvider(AppendObservationConvention.class).getIfUnique(),
        beans.getBeanProvider(PublishObservationConvention.class).getIfUnique(),
        beans.getBeanProvider(ProcessObservationConvention.class).getIfUnique(),
        beans.getBeanProvider(PublisherDecorator.class).getIfUnique());
  }

  SpringOutbox around(SpringOutbox outbox) {
    return SpringOutbox.observed(outbox, registry, append);
  }

  /** Without traces there is nothing that the relay's meters do not tell. */
  Publisher around(Publisher publisher, BrokerClient client) {
    Publisher observed =
        registry == ObservationRegistry.NOOP || traces == CurrentTraceContext.NONE
            ? publisher
            : new ObservedPublisher(publisher, client, this);
    return decorator == null ? observed : decorator.decorate(observed, client);
  }

  Interceptor handlers(Transport transport, String consumer) {
    return new ObservedHandlers(registry, transport, consumer, process);
  }
}

package io.waybill.spring.cloudstream;

import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.spring.RelayBroker;
import io.waybill.spring.WaybillStartException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Spring Cloud Stream as the relay's broker. */
record StreamBroker(Bridge bridge) implements RelayBroker {
  @Override
  public Transport transport() {
    try {
      return bridge.bindings().byDefault().transport();
    } catch (IllegalStateException e) {
      throw new WaybillStartException(
          "Events go to Spring Cloud Stream, but no binder can send them: " + e.getMessage(),
          "Add one binder, for Kafka (org.springframework.cloud:spring-cloud-stream-binder-kafka)"
              + " or RabbitMQ (org.springframework.cloud:spring-cloud-stream-binder-rabbit); where"
              + " there are several, set spring.cloud.stream.default-binder.",
          e);
    }
  }

  @Override
  public void require(List<Destination> destinations) {
    String wrong =
        destinations.stream()
            .map(this::unconfirmed)
            .filter(Objects::nonNull)
            .distinct()
            .collect(Collectors.joining("\n  - "));
    if (!wrong.isEmpty()) {
      throw new WaybillStartException(
          "Spring Cloud Stream would not confirm events:\n  - " + wrong,
          "Correct the properties of the bindings: an event counts as published only when the"
              + " broker has stored it.",
          null);
    }
  }

  private @Nullable String unconfirmed(Destination to) {
    String why = bridge.bindings().unconfirmed(to.target());
    return why == null && !to.routingKey().isEmpty()
        ? bridge.bindings().byDefault().unrouted(to.target())
        : why;
  }

  @Override
  public Publisher publisher(Duration deliveryTimeout) {
    return new StreamPublisher(bridge, deliveryTimeout);
  }
}

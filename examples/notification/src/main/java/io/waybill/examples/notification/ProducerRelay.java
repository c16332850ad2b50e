package io.waybill.examples.notification;

import io.waybill.Waybill;
import io.waybill.encode.Encoder;
import io.waybill.encode.Format;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.jdbc.LayoutOptions;
import io.waybill.jdbc.LayoutOutbox;
import io.waybill.layout.Layouts;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.rabbitmq.RabbitPublisher;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.relay.FailurePolicy;
import io.waybill.relay.RelayRules;
import io.waybill.relay.RoutedMapper;
import io.waybill.retry.RetryPolicy;
import io.waybill.route.Route;
import io.waybill.route.Routes;
import java.util.List;

/** The event outbox producer: what polls {@code event_outbox} and publishes. */
final class ProducerRelay {
  private ProducerRelay() {}

  /** Polls once a second by default, 100 events at a time, as the layout has it. */
  static Waybill start(String name, Servers servers) {
    return Waybill.builder()
        .name(name)
        .tables(
            LayoutOutbox.of(
                ConnectionFactory.of(servers.database()),
                Layouts.NOTIFICATION,
                servers.kind().dialect(),
                LayoutOptions.defaults(Layouts.NOTIFICATION)))
        .publisher(
            () ->
                new RabbitPublisher(
                    RabbitPublisherConfig.builder().addresses(List.of(servers.broker())).build()))
        .rules(
            // What is refused ten times becomes FAILED, and the events behind it go on.
            new RelayRules(
                mapper(), RetryPolicy.ofDefaults(), destination -> new FailurePolicy.Bury(null)))
        .start();
  }

  private static RoutedMapper mapper() {
    Routes routes =
        Routes.builder(Transport.RABBITMQ)
            .byDefault(
                Route.to(Recipients.EXCHANGE)
                    .routingKey("notification.{aggregateType|lower}")
                    .build())
            .build();
    Encoder encoder = Encoder.builder(Transport.RABBITMQ).byDefault(Format.GENERIC).build();
    return new RoutedMapper(routes, encoder, EventLimits.ofDefaults());
  }
}

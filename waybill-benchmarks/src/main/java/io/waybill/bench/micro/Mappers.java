package io.waybill.bench.micro;

import io.waybill.encode.Format;
import io.waybill.internal.encode.Encoder;
import io.waybill.internal.relay.rules.RoutedMapper;
import io.waybill.internal.route.Routes;
import io.waybill.message.EventLimits;
import io.waybill.message.Transport;
import io.waybill.route.Route;

/** From rows to messages for Kafka. */
final class Mappers {
  private static final int TYPES = 20;

  private Mappers() {}

  static RoutedMapper of(Format format) {
    return new RoutedMapper(
        Routes.builder(Transport.KAFKA).byDefault(Route.to("orders").build()).build(),
        Encoder.builder(Transport.KAFKA).byDefault(format).source("micro").build(),
        EventLimits.ofDefaults());
  }

  /** Routes of some types and one for the rest. */
  static Routes routes() {
    Routes.Builder routes =
        Routes.builder(Transport.KAFKA).byDefault(Route.to("everything-else").build());
    for (int type = 0; type < TYPES; type++) {
      routes.forType("order.type" + type, Route.to("orders." + type).build());
    }
    return routes.forType("order.placed", Route.to("orders").build()).build();
  }
}

package io.waybill.spring.internal.config;

import io.waybill.database.OnPublished;
import io.waybill.database.Pooler;
import io.waybill.spring.properties.KafkaProperties;
import io.waybill.spring.properties.RabbitProperties;
import io.waybill.spring.properties.WaybillProperties.Failure;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import io.waybill.spring.properties.WaybillProperties.Limits;
import io.waybill.spring.properties.WaybillProperties.Poll;
import io.waybill.spring.properties.WaybillProperties.Relay;
import io.waybill.spring.properties.WaybillProperties.Retry;
import io.waybill.spring.properties.WaybillProperties.Routes;
import io.waybill.spring.properties.WaybillProperties.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Outboxes in a map, as a relay that stands alone has them. */
record RelayConfig(@DefaultValue Relay relay, @DefaultValue Map<String, Box> outboxes) {

  record Box(
      @DefaultValue Database database,
      @DefaultValue Schema schema,
      @DefaultValue("waybill") LayoutName layout,
      @DefaultValue("delete") OnPublished onPublished,
      @DefaultValue("7d") Duration retention,
      @DefaultValue Routes routes,
      @DefaultValue Failure failure,
      @DefaultValue Retry retry,
      @DefaultValue Poll poll,
      @DefaultValue Limits limits,
      @Nullable KafkaProperties kafka,
      @Nullable RabbitProperties rabbitmq,
      @DefaultValue List<Binding> bindings) {}

  record Database(
      @Nullable String url,
      @Nullable String username,
      @Nullable String password,
      @DefaultValue Map<String, String> properties,
      @DefaultValue("5s") Duration connectTimeout,
      @DefaultValue("10s") Duration queryTimeout,
      @DefaultValue("none") Pooler pooler) {}

  record Binding(@Nullable String exchange, @Nullable String queue) {
    Binding {
      if (queue == null) {
        throw new IllegalArgumentException("a binding from " + exchange + " must name a queue");
      }
    }
  }
}

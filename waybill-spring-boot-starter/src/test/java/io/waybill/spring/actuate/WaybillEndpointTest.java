package io.waybill.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Health, information, views, meters and traces of a running application. */
class WaybillEndpointTest extends EndpointCase {
  @Test
  void healthFollowsTheRelay() {
    await(() -> get("health").at("/components/waybill/status").asString("").equals("UP"));
    assertThat(get("health").at("/components/waybill/details/relay").asString())
        .isEqualTo("shop-1");
  }

  @Test
  void healthSaysWhyTheRelayMakesNoProgress() {
    WaybillHealthIndicator down =
        new WaybillHealthIndicator("relay", "shop-1", () -> java.util.List.of("no broker"));

    assertThat(down.health().getStatus().getCode()).isEqualTo("DOWN");
    assertThat(down.health().getDetails()).containsEntry("reasons", java.util.List.of("no broker"));
  }

  @Test
  void infoNamesOutboxAndRelay() {
    assertThat(get("info").at("/waybill/outboxes/orders").asString()).isEqualTo("shop-1");
  }

  @Test
  void eventsAreListedByKeyAndPage() {
    append("order.paged", "page-1");
    append("order.paged", "page-2");
    await(() -> get("waybill/events?aggregateId=page-2").at("/events/0/lane").isNumber());

    assertThat(ids("aggregateType=order&aggregateId=page-1")).containsExactly("page-1");
    assertThat(ids("aggregateType=invoice&aggregateId=page-1")).isEmpty();
    JsonNode first = get("waybill/events?type=order.paged&limit=1").at("/events");
    assertThat(first).hasSize(1);
    String position = first.at("/0/position").asString();
    assertThat(ids("type=order.paged&after=" + position))
        .doesNotContain(first.at("/0/eventId").asString())
        .contains("page-2");
  }

  private List<String> ids(String query) {
    return get("waybill/events?" + query)
        .at("/events")
        .valueStream()
        .map(event -> event.at("/eventId").asString())
        .toList();
  }

  @Test
  void relaysAndLanesAreListed() {
    await(() -> get("waybill/relays").at("/relays/0/relay").asString("").equals("shop-1"));
    await(() -> get("waybill/lanes").at("/lanes/63/relay").asString("").equals("shop-1"));
  }

  @Test
  void metersCountWhatIsPublished() {
    append("order.placed", "metered");
    await(
        () ->
            context
                    .getBean(MeterRegistry.class)
                    .find("waybill.events.published")
                    .tag("outbox", "orders")
                    .counter()
                != null);
  }

  @Test
  void anEventCarriesTheTraceOfItsWriter() {
    SimpleTracer tracer = (SimpleTracer) context.getBean(Tracer.class);
    var span = tracer.nextSpan().name("write").start();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    try {
      append("order.unknown", "traced");
    } finally {
      scope.close();
      span.end();
    }
    assertThat(tables.texts("select traceparent from waybill_outbox where event_id = 'traced'"))
        .singleElement()
        .asString()
        .startsWith("00-")
        .contains(span.context().traceId())
        .contains(span.context().spanId());
  }
}

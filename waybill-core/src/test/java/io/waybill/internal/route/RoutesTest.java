package io.waybill.internal.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.Rows;
import io.waybill.internal.route.Routing.Routed;
import io.waybill.internal.route.Routing.Unroutable;
import io.waybill.message.Destination;
import io.waybill.message.EventKey;
import io.waybill.message.Header;
import io.waybill.message.Headers;
import io.waybill.message.RecordTime;
import io.waybill.message.Transport;
import io.waybill.route.InvalidRouteException;
import io.waybill.route.Route;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutesTest {
  private static final Rows PLACED = Rows.placed();

  private static Routing kafka(Route.Builder route, Rows rows, Headers headers) {
    return Routes.builder(Transport.KAFKA)
        .byDefault(route.build())
        .build()
        .route(rows.row(), headers);
  }

  @Test
  void aTypesOwnRouteWinsOverTheDefault() {
    Routes routes =
        Routes.builder(Transport.RABBITMQ)
            .byDefault(Route.to("events").routingKey("{eventType}").build())
            .forType("order.placed", Route.to("orders").routingKey("placed.{aggregateId}").build())
            .build();

    assertThat(routes.route(PLACED.row(), Headers.NONE))
        .isEqualTo(new Routed(Destination.exchange("orders", "placed.42"), List.of()));
    assertThat(routes.route(PLACED.type("order.paid").row(), Headers.NONE))
        .isEqualTo(new Routed(Destination.exchange("events", "order.paid"), List.of()));
  }

  @Test
  void resultsFollowTheRowEvenWhenRemembered() {
    Routes routes =
        Routes.builder(Transport.KAFKA)
            .byDefault(
                Route.to("{aggregateType|lower}.{eventType}").header("id", "{eventId}").build())
            .build();
    Rows refund = PLACED.key(new EventKey("Refund", "1"));

    for (int i = 0; i < 3; i++) {
      assertThat(routes.route(PLACED.row(), Headers.NONE))
          .isEqualTo(
              new Routed(
                  Destination.topic("order.order.placed"), List.of(new Header("id", "e-1"))));
      assertThat(routes.route(refund.row(), Headers.NONE))
          .isEqualTo(
              new Routed(
                  Destination.topic("refund.order.placed"), List.of(new Header("id", "e-1"))));
    }
  }

  @Test
  void moreTypesThanAreRememberedStillRoute() {
    Routes routes =
        Routes.builder(Transport.KAFKA).byDefault(Route.to("{eventType}").build()).build();

    assertThat(IntStream.range(0, 3_000).mapToObj(i -> "t" + i))
        .allSatisfy(
            type ->
                assertThat(routes.route(PLACED.type(type).row(), Headers.NONE))
                    .isEqualTo(new Routed(Destination.topic(type), List.of())));
  }

  @Test
  void routesByHeaderToAPartition() {
    Headers headers = Headers.of(Map.of("tenant", "acme", "shard", "7"));

    assertThat(kafka(Route.to("{header.tenant}").partition("{header.shard}"), PLACED, headers))
        .isEqualTo(new Routed(new Destination("acme", "", 7), List.of()));
  }

  @Test
  void aRecordCarriesTheTimeOfItsSendUnlessTheRouteKeepsThatOfTheCreation() {
    assertThat(kafka(Route.to("t"), PLACED, Headers.NONE))
        .isEqualTo(new Routed(new Destination("t", "", null, RecordTime.SENT), List.of()));
    Route.Builder dated = Route.to("t").partition("4").timestamp(RecordTime.CREATED);
    assertThat(kafka(dated, PLACED, Headers.NONE))
        .isEqualTo(new Routed(new Destination("t", "", 4, RecordTime.CREATED), List.of()));
  }

  @Test
  void namesTheEventTheTemplateAndTheMissingField() {
    Rows unordered = PLACED.key(null);

    assertThat(kafka(Route.to("{eventType}.{header.tenant}"), PLACED, Headers.NONE))
        .isEqualTo(
            new Unroutable(
                "missing-field",
                "Event \"e-1\": template \"{eventType}.{header.tenant}\" needs header.tenant,"
                    + " which the event does not have"));
    assertThat(kafka(Route.to("{aggregateType}"), unordered, Headers.NONE))
        .isInstanceOfSatisfying(
            Unroutable.class, u -> assertThat(u.detail()).contains("needs aggregateType,"));
    assertThat(kafka(Route.to("t").header("c", "{correlationId}"), PLACED.bare(), Headers.NONE))
        .isInstanceOfSatisfying(
            Unroutable.class, u -> assertThat(u.detail()).contains("needs correlationId,"));
    assertThat(kafka(Route.to("t").partition("{header.p}"), PLACED, Headers.NONE))
        .isInstanceOfSatisfying(
            Unroutable.class, u -> assertThat(u.detail()).contains("needs header.p,"));
  }

  @Test
  void withoutAnyRouteTheTypeIsNamed() {
    Routes routes = Routes.builder(Transport.KAFKA).build();

    assertThat(routes.route(PLACED.row(), Headers.NONE))
        .isInstanceOfSatisfying(
            Unroutable.class,
            u -> {
              assertThat(u.reason()).isEqualTo("no-route");
              assertThat(u.detail()).contains("\"e-1\"", "\"order.placed\"");
            });
  }

  @ParameterizedTest
  @CsvSource({"a/b, ''", "../x, ''", "'', ''", "t, -1", "t, x", "t, 99999999999"})
  void refusesDestinationsThatTheBrokerWouldRefuse(String type, String partition) {
    Route.Builder route = Route.to("{eventType}");
    if (!partition.isEmpty()) {
      route.partition(partition);
    }

    assertThat(kafka(route, PLACED.type(type), Headers.NONE))
        .isInstanceOfSatisfying(
            Unroutable.class,
            u -> {
              assertThat(u.reason()).isEqualTo("bad-destination");
              assertThat(u.detail()).contains("\"e-1\"", "\"{eventType}\"", "must be", "is ");
            });
  }

  @ParameterizedTest
  @CsvSource({"x-death", "waybill-event-id", "__TypeId__", "'a b'", "''"})
  void refusesHeaderNamesThatAreNotToBeUsed(String name) {
    assertThatExceptionOfType(InvalidRouteException.class)
        .isThrownBy(() -> Route.to("t").header(name, "v"))
        .withMessageContaining("Route header \"" + name + "\" must");
  }
}

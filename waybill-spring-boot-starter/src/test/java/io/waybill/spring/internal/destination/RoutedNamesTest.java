package io.waybill.spring.internal.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Destination;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutedNamesTest {
  private final RoutedNames names =
      new RoutedNames(
          List.of(
              Destination.exchange("shop", "order.{eventType}"),
              Destination.exchange("shop/eu", "order"),
              Destination.exchange("in-{aggregateType}", "all"),
              Destination.exchange("a-{aggregateType}", "{eventType}"),
              Destination.exchange("", "queue"),
              Destination.exchange("b{{x}}", "key")));

  /** The exchange's name ends at a slash; which one, the routes say. */
  @ParameterizedTest
  @CsvSource({
    "shop/order.placed, shop, order.placed",
    "shop/order.a/b, shop, order.a/b",
    "shop/eu/order, shop/eu, order",
    "in-a/b/all, in-a/b, all",
    "/queue, '', queue",
    "b{x}/key, b{x}, key",
    "shop/order.{eventType}, shop, order.{eventType}",
    "shop/order.{x, shop, order.{x"
  })
  void aNameLeadsToExchangeAndRoutingKey(String name, String exchange, String key) {
    Destination found = names.named(name);
    assertThat(RoutedNames.text(found.target())).isEqualTo(exchange);
    assertThat(RoutedNames.text(found.routingKey())).isEqualTo(key);
  }

  @Test
  void aTemplateIsNoName() {
    assertThat(RoutedNames.depends(names.named("shop/order.{eventType}").routingKey())).isTrue();
    assertThat(RoutedNames.depends(names.named("shop/order.{none}").routingKey())).isFalse();
    assertThat(RoutedNames.depends("b{{x}}")).isFalse();
  }

  @Test
  void aNameWithSeveralMeaningsOrNoneIsRefused() {
    assertThatThrownBy(() -> names.named("a-b/c/d"))
        .isInstanceOf(DestinationNameException.class)
        .hasMessageContaining("exchange 'a-b' with 'c/d', exchange 'a-b/c' with 'd'");
    assertThatThrownBy(() -> names.named("shop"))
        .isInstanceOf(DestinationNameException.class)
        .hasMessageContaining("No route leads to 'shop'");
  }
}

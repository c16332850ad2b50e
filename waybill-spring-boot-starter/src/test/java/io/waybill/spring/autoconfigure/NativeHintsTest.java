package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.WaybillEvent;
import io.waybill.spring.WaybillHandler;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What a native image is told to keep. */
class NativeHintsTest {
  private final RuntimeHints hints = new RuntimeHints();

  @WaybillEvent(aggregateType = "order", aggregateId = "order.id")
  record OrderPlaced(Order order) {}

  record Order(String id) {}

  @Test
  void scriptsAndBoundPropertiesAreKept() {
    SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
        .load(RuntimeHintsRegistrar.class)
        .stream()
        .filter(WaybillRuntimeHints.class::isInstance)
        .forEach(each -> each.registerHints(hints, getClass().getClassLoader()));

    assertThat(
            RuntimeHintsPredicates.resource()
                .forResource("io/waybill/schema/postgresql/V1__outbox.sql"))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onType(SpringKafka.class)).accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onType(SpringRabbit.Ssl.class)).accepts(hints);
  }

  @Test
  void propertiesOfDomainEventsAreKept() throws NoSuchMethodException {
    new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, OrderPlaced.class);

    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(OrderPlaced.class.getDeclaredMethod("order")))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Order.class.getDeclaredMethod("id")))
        .accepts(hints);
  }

  @Test
  void handlersAndTheirPayloadsAreKept() throws NoSuchMethodException {
    new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Handler.class);

    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Handler.class.getDeclaredMethod("handle", List.class)))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Order.class.getDeclaredMethod("id")))
        .accepts(hints);
  }

  static class Handler {
    @WaybillHandler("placed")
    void handle(List<Order> orders) {}
  }
}

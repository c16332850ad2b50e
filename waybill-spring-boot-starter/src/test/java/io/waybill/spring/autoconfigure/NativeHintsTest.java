package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.WaybillEvent;
import io.waybill.spring.WaybillHandler;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What a native image is told to keep. */
class NativeHintsTest {
  private final RuntimeHints hints = new RuntimeHints();

  @WaybillEvent(aggregateType = "order", aggregateId = "order.id")
  record OrderPlaced(Order order) {}

  record Order(String id) {}

  private void register() {
    SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
        .load(RuntimeHintsRegistrar.class)
        .stream()
        .filter(WaybillRuntimeHints.class::isInstance)
        .forEach(each -> each.registerHints(hints, getClass().getClassLoader()));
  }

  static Stream<String> scripts() {
    return Stream.concat(
        Stream.of("postgresql", "mariadb", "mysql")
            .flatMap(
                vendor ->
                    Stream.of(
                        "flyway/" + vendor + "/V0_1__waybill_outbox.sql",
                        "flyway-inbox/" + vendor + "/V0_2__waybill_inbox.sql")),
        Stream.of(
            "schema/postgresql/V1__outbox.sql",
            "liquibase/changelog.xml",
            "liquibase/inbox.xml",
            "micrometer/build.properties"));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void scriptsAreKept(String script) {
    register();

    assertThat(getClass().getResource("/io/waybill/" + script)).isNotNull();
    assertThat(RuntimeHintsPredicates.resource().forResource("io/waybill/" + script))
        .accepts(hints);
  }

  @Test
  void boundPropertiesAreKept() {
    register();

    for (String name : List.of("SpringKafka", "SpringRabbit$Ssl")) {
      TypeReference type = TypeReference.of("io.waybill.spring.internal.broker." + name);
      assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints);
    }
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

package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.waybill.message.Event;
import io.waybill.spring.observation.AppendContext;
import io.waybill.spring.observation.DefaultAppendObservationConvention;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

class ObservedOutboxTest {
  private final TransactionTemplate transaction = new TransactionTemplate(new NoDatabase());
  private final InMemoryOutbox memory = new InMemoryOutbox();
  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final SpringOutbox outbox = SpringOutbox.observed(memory, registry, null);

  private static Event event(String type, String id) {
    return Event.builder(type, "order", "42").id(id).json("{}").build();
  }

  private void append(Event... events) {
    transaction.executeWithoutResult(status -> outbox.append(List.of(events)));
  }

  private TestObservationRegistryAssert observed() {
    return TestObservationRegistryAssert.assertThat(registry);
  }

  @Test
  void anAppendIsAChildOfTheCurrentObservation() {
    Observation request = Observation.start("request", registry);
    request.scoped(() -> append(event("order.placed", "e-1")));
    request.stop();

    observed()
        .hasObservationWithNameEqualTo("waybill.append")
        .that()
        .hasContextualNameEqualTo("append order.placed")
        .hasParentObservationEqualTo(request)
        .hasLowCardinalityKeyValue("waybill.event.type", "order.placed")
        .hasHighCardinalityKeyValue("waybill.event.count", "1")
        .hasHighCardinalityKeyValue("waybill.event.id", "e-1")
        .hasBeenStarted()
        .hasBeenStopped()
        .doesNotHaveError();
    assertThat(memory.events()).hasSize(1);
  }

  @Test
  void severalEventsAreOneObservation() {
    append(event("order.placed", "e-1"), event("order.placed", "e-2"));

    observed()
        .hasNumberOfObservationsEqualTo(1)
        .hasSingleObservationThat()
        .hasLowCardinalityKeyValue("waybill.event.type", "order.placed")
        .hasHighCardinalityKeyValue("waybill.event.count", "2")
        .doesNotHaveHighCardinalityKeyValueWithKey("waybill.event.id");
  }

  @Test
  void eventsOfSeveralTypesHaveNoTypeInCommon() {
    append(event("order.placed", "e-1"), event("order.paid", "e-2"));

    observed()
        .hasSingleObservationThat()
        .hasContextualNameEqualTo("append several")
        .hasLowCardinalityKeyValue("waybill.event.type", "several");
  }

  @Test
  void typesAsTagsAreBounded() {
    for (int i = 0; i < 300; i++) {
      append(event("type-" + i, "e-" + i));
    }

    observed()
        .hasAnObservation(
            last ->
                last.hasContextualNameEqualTo("append type-299")
                    .hasLowCardinalityKeyValue("waybill.event.type", "other"));
  }

  @Test
  void usersNameItThemselves() {
    SpringOutbox renamed =
        SpringOutbox.observed(
            memory,
            registry,
            new DefaultAppendObservationConvention() {
              @Override
              public String getName() {
                return "shop.outbox";
              }

              @Override
              public KeyValues getLowCardinalityKeyValues(AppendContext context) {
                return super.getLowCardinalityKeyValues(context).and("shop", "north");
              }
            });
    transaction.executeWithoutResult(status -> renamed.append(event("order.placed", "e-1")));

    observed()
        .hasObservationWithNameEqualTo("shop.outbox")
        .that()
        .hasLowCardinalityKeyValue("shop", "north")
        .hasLowCardinalityKeyValue("waybill.event.type", "order.placed");
  }

  @Test
  void whatIsRefusedIsItsError() {
    assertThatThrownBy(() -> outbox.append(event("order.placed", "e-1")))
        .isInstanceOf(IllegalTransactionStateException.class);

    observed().hasSingleObservationThat().hasError().hasBeenStopped();
  }

  @Test
  void noEventsAreNoObservation() {
    append();

    observed().doesNotHaveAnyObservation();
  }

  @Test
  void withoutARegistryItIsTheOutboxItself() {
    assertThat(SpringOutbox.observed(memory, ObservationRegistry.NOOP, null)).isSameAs(memory);
  }

  @Test
  void aRegistryWithoutHandlersSeesNothing() {
    ObservationRegistry empty = ObservationRegistry.create();
    transaction.executeWithoutResult(
        status -> {
          SpringOutbox.observed(memory, empty, null).append(event("order.placed", "e-1"));
          assertThat(empty.getCurrentObservation()).isNull();
        });

    assertThat(memory.events()).hasSize(1);
  }
}

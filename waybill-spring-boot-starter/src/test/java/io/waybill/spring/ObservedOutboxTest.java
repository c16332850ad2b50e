package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.waybill.message.Event;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

class ObservedOutboxTest {
  private final TransactionTemplate transaction = new TransactionTemplate(new NoDatabase());
  private final InMemoryOutbox memory = new InMemoryOutbox();
  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final SpringOutbox outbox = SpringOutbox.observed(memory, registry);

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
        .hasLowCardinalityKeyValue("waybill.type", "order.placed")
        .hasHighCardinalityKeyValue("waybill.events", "1")
        .hasHighCardinalityKeyValue("waybill.event-id", "e-1")
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
        .hasLowCardinalityKeyValue("waybill.type", "order.placed")
        .hasHighCardinalityKeyValue("waybill.events", "2")
        .doesNotHaveHighCardinalityKeyValueWithKey("waybill.event-id");
  }

  @Test
  void eventsOfSeveralTypesHaveNoTypeInCommon() {
    append(event("order.placed", "e-1"), event("order.paid", "e-2"));

    observed()
        .hasSingleObservationThat()
        .hasContextualNameEqualTo("append several")
        .hasLowCardinalityKeyValue("waybill.type", "several");
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
    assertThat(SpringOutbox.observed(memory, ObservationRegistry.NOOP)).isSameAs(memory);
  }

  @Test
  void aRegistryWithoutHandlersSeesNothing() {
    ObservationRegistry empty = ObservationRegistry.create();
    transaction.executeWithoutResult(
        status -> {
          SpringOutbox.observed(memory, empty).append(event("order.placed", "e-1"));
          assertThat(empty.getCurrentObservation()).isNull();
        });

    assertThat(memory.events()).hasSize(1);
  }
}

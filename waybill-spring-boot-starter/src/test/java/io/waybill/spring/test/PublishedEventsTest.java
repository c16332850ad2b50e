package io.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Event;
import io.waybill.spring.DomainEventPublisher;
import io.waybill.spring.NoDatabase;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.WaybillEvent;
import io.waybill.spring.autoconfigure.WaybillAutoConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

/** An outbox without database and broker, and what a test asks of it. */
class PublishedEventsTest {
  @WaybillEvent(
      aggregateType = "order",
      aggregateId = "id",
      correlationId = "request",
      headers = "tenant=tenant")
  record OrderPlaced(String id, String tenant, String request) {}

  @WaybillEvent(type = "order.cancelled")
  record OrderCancelled(String id) {}

  @WaybillEvent(aggregateType = "order", aggregateId = "id")
  static final class OrderReturned extends ApplicationEvent {
    private static final long serialVersionUID = 1L;
    private final String id;

    OrderReturned(Object source, String id) {
      super(source, Clock.fixed(Instant.ofEpochMilli(7), ZoneOffset.UTC));
      this.id = id;
    }

    public String getId() {
      return id;
    }
  }

  private final TransactionTemplate transaction = new TransactionTemplate(new NoDatabase());
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(WaybillAutoConfiguration.class))
          .withPropertyValues("waybill.outbox.mode=memory");

  @Test
  void anEventOfSpringsOwnKindLeavesOutItsSource() {
    application.run(
        context -> {
          transaction.executeWithoutResult(
              status -> context.publishEvent(new OrderReturned(context, "42")));

          Event event =
              context
                  .getBean(PublishedEvents.class)
                  .published(OrderReturned.class)
                  .withKey("42")
                  .once();
          assertThat(event.payload().bytes())
              .asString(StandardCharsets.UTF_8)
              .isEqualTo("{\"id\":\"42\",\"timestamp\":7}");
        });
  }

  @Test
  void committedEventsAreThereWithKeyHeadersAndPayload() {
    application.run(
        context -> {
          ApplicationEventPublisher publisher = context;
          OrderPlaced placed = new OrderPlaced("42", "acme", "r1");
          transaction.executeWithoutResult(status -> publisher.publishEvent(placed));

          PublishedEvents events = context.getBean(PublishedEvents.class);
          assertThat(
                  events
                      .published(OrderPlaced.class)
                      .withKey("42")
                      .withAggregateType("order")
                      .withHeader("tenant", "acme")
                      .withCorrelationId("r1")
                      .withPayload(placed)
                      .once()
                      .type())
              .isEqualTo("OrderPlaced");
          events.published(OrderCancelled.class).never();
          events.published("OrderPlaced").times(1);
          events.clear();
          events.published(OrderPlaced.class).never();
        });
  }

  @Test
  void rolledBackEventsAreNotThere() {
    application.run(
        context -> {
          DomainEventPublisher publisher = context.getBean(DomainEventPublisher.class);
          transaction.executeWithoutResult(
              status -> {
                publisher.publish(new OrderCancelled("1"));
                status.setRollbackOnly();
              });

          context.getBean(PublishedEvents.class).published(OrderCancelled.class).never();
        });
  }

  @Test
  void aTransactionIsAskedForAsInProduction() {
    application.run(
        context ->
            assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> context.publishEvent(new OrderCancelled("1"))));
  }

  @Test
  void aFailureSaysWhatWasThereInstead() {
    application.run(
        context -> {
          PublishedEvents events = context.getBean(PublishedEvents.class);
          transaction.executeWithoutResult(
              status -> context.publishEvent(new OrderPlaced("42", "acme", "r1")));

          assertThatThrownBy(() -> events.published(OrderPlaced.class).withKey("43"))
              .isInstanceOf(AssertionError.class)
              .hasMessageContaining("with key 43")
              .hasMessageContaining("OrderPlaced");
          PublishedAssert placed = events.published(OrderPlaced.class);
          assertRefused(() -> placed.withAggregateType("customer"), "aggregate type customer");
          assertRefused(() -> placed.withHeader("tenant", "other"), "header tenant=other");
          assertRefused(() -> placed.withHeader("none", "acme"), "header none=acme");
          assertRefused(() -> placed.withCorrelationId("r2"), "correlation id r2");
          assertRefused(
              () -> placed.withPayload(new OrderPlaced("42", "acme", "r2")), "the payload of");
          assertRefused(() -> placed.times(2), "2 event(s)");
          assertThatThrownBy(() -> events.published(OrderPlaced.class).never())
              .isInstanceOf(AssertionError.class);
          assertThatThrownBy(() -> events.published(OrderCancelled.class).once())
              .isInstanceOf(AssertionError.class);
        });
  }

  private static void assertRefused(ThrowingCallable condition, String named) {
    assertThatThrownBy(condition)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(named)
        .hasMessageContaining("OrderPlaced");
  }

  @Test
  void nothingIsAskedOfDatabaseOrBroker() {
    application.run(
        context -> {
          assertThat(context).hasNotFailed().hasSingleBean(SpringOutbox.class);
          assertThat(context.getBeanNamesForType(javax.sql.DataSource.class)).isEmpty();
        });
  }
}

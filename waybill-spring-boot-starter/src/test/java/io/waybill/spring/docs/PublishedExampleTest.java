package io.waybill.spring.docs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.spring.NoDatabase;
import io.waybill.spring.autoconfigure.WaybillAutoConfiguration;
import io.waybill.spring.docs.OrderService.Order;
import io.waybill.spring.docs.OrderService.OrderCancelled;
import io.waybill.spring.docs.PublishedExample.OrderPlaced;
import io.waybill.spring.test.PublishedEvents;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.support.TransactionTemplate;

/** The questions of docs/spring-boot.md, asked. */
class PublishedExampleTest {
  private final TransactionTemplate transaction = new TransactionTemplate(new NoDatabase());

  @Test
  void isMetByThoseEventsAndNoOthers() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(WaybillAutoConfiguration.class))
        .withPropertyValues("waybill.outbox.mode=memory")
        .run(
            context -> {
              PublishedEvents events = context.getBean(PublishedEvents.class);
              OrderCancelled cancelled = new OrderCancelled(new Order("42", "acme"), "no stock");
              transaction.executeWithoutResult(
                  status -> {
                    context.publishEvent(new OrderPlaced("42", 1999));
                    context.publishEvent(cancelled);
                  });
              assertThatThrownBy(() -> PublishedExample.ask(events))
                  .isInstanceOf(AssertionError.class)
                  .hasMessageContaining("2 event(s)");

              transaction.executeWithoutResult(status -> context.publishEvent(cancelled));
              PublishedExample.ask(events);
            });
  }
}

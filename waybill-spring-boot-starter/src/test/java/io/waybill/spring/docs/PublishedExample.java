package io.waybill.spring.docs;

import io.waybill.spring.WaybillEvent;
import io.waybill.spring.docs.OrderService.OrderCancelled;
import io.waybill.spring.test.PublishedEvents;

/** What a test of an application asks. */
final class PublishedExample {
  @WaybillEvent(type = "order.placed", aggregateType = "order", aggregateId = "id")
  record OrderPlaced(String id, int cents) {}

  private PublishedExample() {}

  static void ask(PublishedEvents events) {
    // quote:published
    events
        .published(OrderPlaced.class)
        .withKey("42")
        .withPayload(new OrderPlaced("42", 1999))
        .once();
    events.published(OrderCancelled.class).withHeader("tenant", "acme").times(2);
    // quote:end
  }
}

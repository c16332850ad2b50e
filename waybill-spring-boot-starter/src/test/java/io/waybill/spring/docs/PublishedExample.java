package io.waybill.spring.docs;

import io.waybill.spring.docs.OrderService.OrderCancelled;
import io.waybill.spring.docs.Shop.OrderPlaced;
import io.waybill.spring.test.PublishedEvents;

/** What a test of an application asks. */
final class PublishedExample {
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

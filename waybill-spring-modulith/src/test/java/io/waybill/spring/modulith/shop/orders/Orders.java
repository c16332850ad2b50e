package io.waybill.spring.modulith.shop.orders;

import io.waybill.spring.WaybillEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.modulith.events.Externalized;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders {
  private final ApplicationEventPublisher events;

  Orders(ApplicationEventPublisher events) {
    this.events = events;
  }

  @Externalized("orders::#{#this.id()}")
  public record OrderCompleted(String id, int cents) {}

  @Externalized("news")
  public record NewsPosted(String text) {}

  /** Waybill's own annotation says more, and comes first. */
  @Externalized("orders")
  @WaybillEvent(type = "order.returned")
  public record OrderReturned(String id) {}

  /** Stays inside. */
  public record OrderLookedAt(String id) {}

  @Transactional
  public void complete(String id, boolean fail) {
    events.publishEvent(new OrderLookedAt(id));
    events.publishEvent(new OrderCompleted(id, 1999));
    if (fail) {
      throw new IllegalStateException("business");
    }
  }

  @Transactional
  public void post(String text) {
    events.publishEvent(new NewsPosted(text));
  }

  @Transactional
  public void takeBack(String id) {
    events.publishEvent(new OrderReturned(id));
  }
}

package io.waybill.spring.docs;

import io.waybill.message.Event;
import io.waybill.spring.DomainEventPublisher;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.WaybillEvent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// quote:service
@Service
class OrderService {
  private final JdbcClient jdbc;
  private final SpringOutbox outbox;
  private final DomainEventPublisher publisher;

  OrderService(JdbcClient jdbc, SpringOutbox outbox, DomainEventPublisher publisher) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.publisher = publisher;
  }

  @Transactional
  void ship(String id) {
    jdbc.sql("update orders set shipped = true where id = ?").param(id).update();
    outbox.append(Event.builder("order.shipped", "order", id).json("{}").build());
  }

  @Transactional
  void cancel(Order order) {
    jdbc.sql("delete from orders where id = ?").param(order.id()).update();
    publisher.publish(new OrderCancelled(order, "no stock"));
  }

  record Order(String id, String tenant) {}

  @WaybillEvent(
      type = "order.cancelled",
      version = 2,
      aggregateType = "order",
      aggregateId = "order.id",
      headers = "tenant=order.tenant")
  record OrderCancelled(Order order, String reason) {}
}
// quote:end

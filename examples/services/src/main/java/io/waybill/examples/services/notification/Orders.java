package io.waybill.examples.services.notification;

import io.waybill.message.Event;
import io.waybill.spring.SpringOutbox;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** The order service: an order and its events in one transaction. */
@Service
class Orders {
  private static final String CREATED = "ORDER_CREATED";

  private final JdbcClient jdbc;
  private final SpringOutbox outbox;
  private final JsonMapper json;

  Orders(JdbcClient jdbc, SpringOutbox outbox, JsonMapper json) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
  }

  /** As JSON it is the answer to a request and the payload of the events. */
  record Order(String orderId, long restaurantId, long customerId, BigDecimal total) {}

  /** Tells the restaurant and the customer. */
  @Transactional
  public Order create(long restaurantId, long customerId, BigDecimal total) {
    Order order =
        new Order(
            "ORD-" + insert(restaurantId, customerId, total), restaurantId, customerId, total);
    String payload = json.writeValueAsString(order);
    outbox.append(
        List.of(
            event(order, Recipients.RESTAURANT, restaurantId, payload),
            event(order, Recipients.CUSTOMER, customerId, payload)));
    return order;
  }

  private static Event event(Order order, Recipients told, long id, String payload) {
    return Event.builder(CREATED, told.name(), Long.toString(id))
        .id(order.orderId() + "-" + told)
        .json(payload)
        .build();
  }

  private long insert(long restaurantId, long customerId, BigDecimal total) {
    return jdbc.sql(
            """
            insert into customer_order (restaurant_id, customer_id, total)
            values (?, ?, ?)
            returning id""")
        .param(restaurantId)
        .param(customerId)
        .param(total)
        .query(Long.class)
        .single();
  }
}

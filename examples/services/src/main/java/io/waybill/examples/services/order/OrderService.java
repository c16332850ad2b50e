package io.waybill.examples.services.order;

import io.waybill.message.Event;
import io.waybill.spring.SpringOutbox;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Writes orders, each with its event in one transaction. */
@Service
class OrderService {
  private static final String ORDER_PLACED = "order.order.placed.v1";

  private final JdbcClient jdbc;
  private final SpringOutbox outbox;
  private final JsonMapper json;

  OrderService(JdbcClient jdbc, SpringOutbox outbox, JsonMapper json) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
  }

  record Item(String productId, int quantity, BigDecimal unitPrice) {}

  record NewOrder(String userId, List<Item> items) {}

  /** Data of the event. */
  record OrderPlaced(String orderId, String userId, List<Item> items, BigDecimal totalAmount) {}

  @Transactional
  public OrderPlaced place(NewOrder order) {
    BigDecimal total =
        order.items().stream()
            .map(item -> item.unitPrice().multiply(BigDecimal.valueOf(item.quantity())))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    UUID id = UUID.randomUUID();
    jdbc.sql("insert into orders (id, user_id, total_amount) values (?, ?, ?)")
        .params(id, order.userId(), total)
        .update();
    OrderPlaced placed = new OrderPlaced(id.toString(), order.userId(), order.items(), total);
    outbox.append(
        Event.builder(ORDER_PLACED, "aggregate", placed.orderId())
            .header("userId", order.userId())
            .json(json.writeValueAsString(placed))
            .build());
    return placed;
  }
}

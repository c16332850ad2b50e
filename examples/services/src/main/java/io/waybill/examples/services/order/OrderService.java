package io.waybill.examples.services.order;

import io.waybill.message.Event;
import io.waybill.spring.SpringOutbox;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Writes orders, each with its items and its event in one transaction. */
@Service
class OrderService {
  private static final String ORDER_PLACED = "order.order.placed.v1";

  private final JdbcTemplate jdbc;
  private final SpringOutbox outbox;
  private final JsonMapper json;

  OrderService(JdbcTemplate jdbc, SpringOutbox outbox, JsonMapper json) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
  }

  record Item(String productId, int quantity, BigDecimal unitPrice) {}

  record NewOrder(String userId, List<Item> items) {
    BigDecimal totalAmount() {
      return items.stream()
          .map(item -> item.unitPrice().multiply(BigDecimal.valueOf(item.quantity())))
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }

  /** What of a request goes into the envelope's metadata, beside its trace and its user. */
  record Metadata(@Nullable String correlationId, @Nullable String idempotencyKey) {}

  /** Data of the event. */
  record OrderPlaced(String orderId, String userId, List<Item> items, BigDecimal totalAmount) {}

  /**
   * Places an order.
   *
   * @throws io.waybill.message.InvalidEventException if the metadata break rules; nothing is left
   */
  @Transactional
  public OrderPlaced place(NewOrder order, Metadata metadata) {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into orders (id, user_id, total_amount) values (?, ?, ?)",
        id,
        order.userId(),
        order.totalAmount());
    insertItems(id, order.items());
    OrderPlaced placed =
        new OrderPlaced(id.toString(), order.userId(), order.items(), order.totalAmount());
    outbox.append(event(placed, metadata));
    return placed;
  }

  private void insertItems(UUID order, List<Item> items) {
    jdbc.batchUpdate(
        """
        insert into order_items (order_id, line, product_id, quantity, unit_price)
        values (?, ?, ?, ?, ?)""",
        IntStream.range(0, items.size())
            .mapToObj(
                line -> {
                  Item item = items.get(line);
                  return new Object[] {
                    order, line + 1, item.productId(), item.quantity(), item.unitPrice()
                  };
                })
            .toList());
  }

  private Event event(OrderPlaced placed, Metadata metadata) {
    Event.Builder event =
        Event.builder(ORDER_PLACED, "aggregate", placed.orderId())
            .header("userId", placed.userId())
            .correlationId(metadata.correlationId())
            .json(json.writeValueAsString(placed));
    String idempotencyKey = metadata.idempotencyKey();
    if (idempotencyKey != null) {
      event.header("idempotencyKey", idempotencyKey);
    }
    return event.build();
  }
}

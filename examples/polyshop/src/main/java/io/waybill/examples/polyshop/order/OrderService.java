package io.waybill.examples.polyshop.order;

import io.waybill.examples.polyshop.common.DomainEventFactory;
import io.waybill.examples.polyshop.common.EventMetadata;
import io.waybill.examples.polyshop.common.OutboxEventRepository;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Writes orders, each with its items and its event in one transaction. */
@Service
@Profile("order")
class OrderService {
  private static final String ORDER_PLACED = "order.order.placed.v1";

  private final JdbcTemplate jdbc;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  OrderService(JdbcTemplate jdbc, DomainEventFactory events, OutboxEventRepository outbox) {
    this.jdbc = jdbc;
    this.events = events;
    this.outbox = outbox;
  }

  record Item(String productId, int quantity, BigDecimal unitPrice) {}

  record NewOrder(String userId, List<Item> items) {
    BigDecimal totalAmount() {
      return items.stream()
          .map(item -> item.unitPrice().multiply(BigDecimal.valueOf(item.quantity())))
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }

  /** Data of the event. */
  record OrderPlaced(String orderId, String userId, List<Item> items, BigDecimal totalAmount) {}

  /**
   * Places an order.
   *
   * @throws io.waybill.message.InvalidEventException if the metadata break rules; nothing is left
   */
  @Transactional
  public OrderPlaced place(NewOrder order, EventMetadata metadata) {
    UUID id = UUID.randomUUID();
    jdbc.update(
        "insert into orders (id, user_id, total_amount) values (?, ?, ?)",
        id,
        order.userId(),
        order.totalAmount());
    insertItems(id, order.items());
    OrderPlaced placed =
        new OrderPlaced(id.toString(), order.userId(), order.items(), order.totalAmount());
    outbox.save(events.event(ORDER_PLACED, placed.orderId(), placed), metadata);
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
}

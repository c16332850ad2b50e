package io.waybill.examples.polyshop.inventory;

import io.waybill.examples.polyshop.common.DomainEventFactory;
import io.waybill.examples.polyshop.common.OutboxEventRepository;
import io.waybill.handler.PermanentException;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.WaybillHandler;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Takes what was ordered from the stock. Each line of an order is a movement with an id of its own,
 * so that a second event of one order, which no inbox can know, moves nothing either.
 */
@Component
@Profile("inventory")
class Stock {
  private static final String RESERVED = "inventory.stock.reserved.v1";

  private final JdbcClient jdbc;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  Stock(JdbcClient jdbc, DomainEventFactory events, OutboxEventRepository outbox) {
    this.jdbc = jdbc;
    this.events = events;
    this.outbox = outbox;
  }

  record Line(String productId, int quantity) {}

  record OrderPlaced(String orderId, List<Line> items) {}

  /** Data of the event, whose key is the product. */
  record StockReserved(String productId, String orderId, int quantity) {}

  @WaybillHandler("order.order.placed.v1")
  void take(OrderPlaced order, ReceivedEvent event) {
    order.items().forEach(Stock::check);
    List<Integer> numbers =
        IntStream.range(0, order.items().size())
            .boxed()
            // One order for all, so that two orders of the same products never wait for each other.
            .sorted(Comparator.comparing(number -> order.items().get(number).productId()))
            .toList();
    for (int number : numbers) {
      Line line = order.items().get(number);
      if (isNew(order.orderId() + "/" + number, line)) {
        if (!take(line)) {
          throw refused(line);
        }
        StockReserved reserved =
            new StockReserved(line.productId(), order.orderId(), line.quantity());
        outbox.save(events.event(RESERVED, line.productId(), reserved), event);
      }
    }
  }

  /** A line that takes less than one would add to the stock. */
  private static void check(Line line) {
    if (line.quantity() < 1) {
      throw new PermanentException(
          "Validation failed: quantity must be at least 1, but is "
              + line.quantity()
              + ": "
              + line.productId());
    }
  }

  private boolean isNew(String movementId, Line line) {
    return jdbc.sql(
                """
                insert into stock_movement (movement_id, product_id, quantity) values (?, ?, ?)
                on conflict (movement_id) do nothing""")
            .params(movementId, line.productId(), line.quantity())
            .update()
        == 1;
  }

  private boolean take(Line line) {
    return jdbc.sql(
                """
                update stock set quantity = quantity - :quantity
                where product_id = :product and quantity >= :quantity""")
            .param("quantity", line.quantity())
            .param("product", line.productId())
            .update()
        == 1;
  }

  private PermanentException refused(Line line) {
    boolean known =
        jdbc.sql("select exists (select from stock where product_id = ?)")
            .param(line.productId())
            .query(Boolean.class)
            .single();
    String rule = known ? "out of stock: " : "product not found: ";
    return new PermanentException("Validation failed: " + rule + line.productId());
  }
}

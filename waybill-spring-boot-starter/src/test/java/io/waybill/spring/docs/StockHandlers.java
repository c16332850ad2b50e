package io.waybill.spring.docs;

import io.waybill.message.Event;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.WaybillHandler;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Handlers; no bean here, since the applications of this package do not consume. */
// quote:handlers
public class StockHandlers {
  private final JdbcClient jdbc;
  private final SpringOutbox outbox;

  public StockHandlers(JdbcClient jdbc, SpringOutbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @WaybillHandler("order.placed")
  void reserve(OrderPlaced placed, ReceivedEvent event) {
    jdbc.sql("update stock set free = free - 1 where item = ?").param(placed.item()).update();
    outbox.append(
        event.causes(Event.builder("stock.reserved", "order", placed.id()).json("{}")).build());
  }

  @WaybillHandler(
      value = {"order.paid", "order.shipped"},
      batch = 50)
  void count(List<ReceivedEvent> events) {
    jdbc.sql("update progress set events = events + ?").param(events.size()).update();
  }

  public record OrderPlaced(String id, String item) {}
}
// quote:end

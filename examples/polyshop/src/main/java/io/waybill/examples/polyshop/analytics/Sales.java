package io.waybill.examples.polyshop.analytics;

import io.waybill.handler.PermanentException;
import io.waybill.spring.WaybillHandler;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Counts what was ordered. */
@Component
@Profile("analytics")
class Sales {
  private final JdbcClient jdbc;

  Sales(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record Line(String productId, int quantity) {}

  record OrderPlaced(List<Line> items, @Nullable BigDecimal totalAmount) {}

  // Not idempotent: a second time would count twice.
  @WaybillHandler("order.order.placed.v1")
  void count(OrderPlaced order) {
    BigDecimal total = order.totalAmount();
    if (total == null || total.signum() <= 0) {
      throw new PermanentException("Validation failed: totalAmount must be more than 0");
    }
    // One order for all, so that two orders of the same products never wait for each other.
    order.items().stream()
        .sorted(Comparator.comparing(Line::productId))
        .forEach(
            line ->
                jdbc.sql(
                        """
                        insert into sales (product_id, pieces) values (?, ?)
                        on conflict (product_id) do update
                        set pieces = sales.pieces + excluded.pieces""")
                    .params(line.productId(), line.quantity())
                    .update());
  }
}

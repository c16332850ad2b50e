package io.waybill.examples.polyshop.order;

import io.waybill.examples.polyshop.common.EventMetadata;
import io.waybill.examples.polyshop.common.Refusals;
import io.waybill.examples.polyshop.order.OrderService.Item;
import io.waybill.examples.polyshop.order.OrderService.NewOrder;
import io.waybill.examples.polyshop.order.OrderService.OrderPlaced;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Profile("order")
class OrderController {
  private static final int MOST = 100;
  private static final BigDecimal HIGHEST_PRICE = new BigDecimal(100_000);
  private static final int HIGHEST_EXPONENT = 5;

  private final OrderService orders;

  OrderController(OrderService orders) {
    this.orders = orders;
  }

  record Line(@Nullable String productId, int quantity, @Nullable BigDecimal unitPrice) {}

  record Request(@Nullable String userId, @Nullable List<Line> items) {}

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  OrderPlaced place(
      @RequestBody Request request,
      @RequestHeader(name = EventMetadata.CORRELATION, required = false)
          @Nullable String correlationId,
      @RequestHeader(name = EventMetadata.IDEMPOTENCY, required = false)
          @Nullable String idempotencyKey) {
    NewOrder order = order(request);
    return orders.place(order, new EventMetadata(order.userId(), correlationId, idempotencyKey));
  }

  private static NewOrder order(Request request) {
    String userId = Refusals.text("userId", request.userId());
    List<Line> lines = request.items();
    if (lines == null || lines.isEmpty() || lines.size() > MOST) {
      throw Refusals.refusal("items must have from 1 to " + MOST + " lines");
    }
    List<Item> items = new ArrayList<>();
    for (Line line : lines) {
      items.add(item("items[" + items.size() + "]", line));
    }
    return new NewOrder(userId, items);
  }

  private static Item item(String where, @Nullable Line line) {
    if (line == null) {
      throw Refusals.refusal(where + " must be given");
    }
    String productId = Refusals.text(where + ".productId", line.productId());
    if (line.quantity() < 1 || line.quantity() > MOST) {
      throw Refusals.refusal(
          where + ".quantity must be from 1 to " + MOST + ", but is " + line.quantity());
    }
    BigDecimal price = line.unitPrice();
    // 0e1000000000 is 0, but whoever reads it in the event may write out its digits.
    if (price == null
        || price.scale() > 2
        || price.scale() < -HIGHEST_EXPONENT
        || price.signum() < 0
        || price.compareTo(HIGHEST_PRICE) > 0) {
      throw Refusals.refusal(
          where
              + ".unitPrice must be from 0 to "
              + HIGHEST_PRICE
              + " with at most two decimals and an exponent of at most "
              + HIGHEST_EXPONENT
              + ", but is "
              + price);
    }
    return new Item(productId, line.quantity(), price);
  }
}

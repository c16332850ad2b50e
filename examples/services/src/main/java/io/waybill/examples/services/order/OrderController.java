package io.waybill.examples.services.order;

import io.waybill.examples.services.order.OrderService.Item;
import io.waybill.examples.services.order.OrderService.NewOrder;
import io.waybill.examples.services.order.OrderService.OrderPlaced;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {
  private final OrderService orders;

  OrderController(OrderService orders) {
    this.orders = orders;
  }

  record Line(@Nullable String productId, int quantity, @Nullable BigDecimal unitPrice) {}

  record Request(@Nullable String userId, @Nullable List<Line> items) {}

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  OrderPlaced place(@RequestBody Request request) {
    String userId = request.userId();
    if (userId == null || userId.isBlank()) {
      throw refused("userId must be given");
    }
    List<Line> lines = request.items();
    if (lines == null || lines.isEmpty()) {
      throw refused("items must have at least one line, but have none");
    }
    List<Item> items = new ArrayList<>();
    for (Line line : lines) {
      items.add(item("items[" + items.size() + "]", line));
    }
    return orders.place(new NewOrder(userId, items));
  }

  private static Item item(String where, Line line) {
    String productId = line.productId();
    if (productId == null || productId.isBlank()) {
      throw refused(where + ".productId must be given");
    }
    if (line.quantity() < 1) {
      throw refused(where + ".quantity must be at least 1, but is " + line.quantity());
    }
    BigDecimal price = line.unitPrice();
    if (price == null || price.signum() < 0) {
      throw refused(where + ".unitPrice must be given and not negative, but is " + price);
    }
    return new Item(productId, line.quantity(), price);
  }

  private static ResponseStatusException refused(String reason) {
    return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
  }
}

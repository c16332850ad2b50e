package io.waybill.examples.services.order;

import io.waybill.examples.services.order.OrderService.Item;
import io.waybill.examples.services.order.OrderService.Metadata;
import io.waybill.examples.services.order.OrderService.NewOrder;
import io.waybill.examples.services.order.OrderService.OrderPlaced;
import io.waybill.message.InvalidEventException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {
  private static final int MOST = 100;
  private static final int LONGEST = 100;
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
      @RequestHeader(name = "X-Correlation-Id", required = false) @Nullable String correlationId,
      @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
    return orders.place(order(request), new Metadata(correlationId, idempotencyKey));
  }

  /** Headers that no event can have. */
  @ExceptionHandler
  ProblemDetail refused(InvalidEventException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
  }

  private static NewOrder order(Request request) {
    String userId = text("userId", request.userId());
    List<Line> lines = request.items();
    if (lines == null || lines.isEmpty() || lines.size() > MOST) {
      throw refused("items must have from 1 to " + MOST + " lines");
    }
    List<Item> items = new ArrayList<>();
    for (Line line : lines) {
      items.add(item("items[" + items.size() + "]", line));
    }
    return new NewOrder(userId, items);
  }

  private static Item item(String where, @Nullable Line line) {
    if (line == null) {
      throw refused(where + " must be given");
    }
    String productId = text(where + ".productId", line.productId());
    if (line.quantity() < 1 || line.quantity() > MOST) {
      throw refused(where + ".quantity must be from 1 to " + MOST + ", but is " + line.quantity());
    }
    BigDecimal price = line.unitPrice();
    // 0e1000000000 is 0, but whoever reads it in the event may write out its digits.
    if (price == null
        || price.scale() > 2
        || price.scale() < -HIGHEST_EXPONENT
        || price.signum() < 0
        || price.compareTo(HIGHEST_PRICE) > 0) {
      throw refused(
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

  private static String text(String where, @Nullable String text) {
    if (text == null || text.isBlank() || text.length() > LONGEST) {
      throw refused(where + " must be given with at most " + LONGEST + " characters");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw refused(where + " must have no control characters");
    }
    return text;
  }

  private static ResponseStatusException refused(String reason) {
    return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
  }
}

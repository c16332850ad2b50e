package io.waybill.examples.services.notification;

import static io.waybill.examples.services.notification.BadRequests.given;
import static io.waybill.examples.services.notification.BadRequests.refused;

import io.waybill.examples.services.notification.Orders.Order;
import io.waybill.examples.services.notification.Registrations.User;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders and registrations, the other two services above the producer. */
@RestController
class UpstreamController {
  private static final int LONGEST = 200;
  private static final BigDecimal LARGEST = new BigDecimal("1000000");

  private final Orders orders;
  private final Registrations registrations;

  UpstreamController(Orders orders, Registrations registrations) {
    this.orders = orders;
    this.registrations = registrations;
  }

  record OrderRequest(
      @Nullable Long restaurantId, @Nullable Long customerId, @Nullable BigDecimal total) {}

  record UserRequest(@Nullable String name) {}

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  Order order(@RequestBody OrderRequest request) {
    BigDecimal total = given("total", request.total());
    if (total.signum() <= 0 || total.compareTo(LARGEST) > 0 || total.scale() > 2) {
      throw refused(
          "total must be from 0.01 to %s with at most two decimals, but is %s"
              .formatted(LARGEST, total));
    }
    return orders.create(
        given("restaurant_id", request.restaurantId()),
        given("customer_id", request.customerId()),
        total);
  }

  @PostMapping("/users")
  @ResponseStatus(HttpStatus.CREATED)
  User user(@RequestBody UserRequest request) {
    String name = given("name", request.name());
    if (name.isBlank() || name.length() > LONGEST) {
      throw refused("name must have 1 to " + LONGEST + " characters");
    }
    return registrations.register(name);
  }
}

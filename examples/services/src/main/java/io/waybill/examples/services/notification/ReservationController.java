package io.waybill.examples.services.notification;

import static io.waybill.examples.services.notification.BadRequests.given;
import static io.waybill.examples.services.notification.BadRequests.refused;

import io.waybill.examples.services.notification.Notifications.Notification;
import io.waybill.examples.services.notification.Reservations.Wanted;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/reservations")
class ReservationController {
  private static final int LONGEST = 200;
  private static final int LARGEST_PARTY = 500;

  private final Reservations reservations;
  private final Notifications notifications;

  ReservationController(Reservations reservations, Notifications notifications) {
    this.reservations = reservations;
    this.notifications = notifications;
  }

  record Request(
      @Nullable Long restaurantId,
      @Nullable Long customerId,
      @Nullable Long agencyId,
      @Nullable String customerName,
      @Nullable Integer partySize,
      @Nullable LocalTime time) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  Reservation reserve(@RequestBody Request request) {
    String name = request.customerName();
    if (name == null || name.isBlank() || name.length() > LONGEST) {
      throw refused("customer_name must be given with at most " + LONGEST + " characters");
    }
    int people = given("party_size", request.partySize());
    if (people < 1 || people > LARGEST_PARTY) {
      throw refused("party_size must be from 1 to " + LARGEST_PARTY + ", but is " + people);
    }
    return reservations.reserve(
        new Wanted(
            given("restaurant_id", request.restaurantId()),
            request.customerId(),
            request.agencyId(),
            name,
            people,
            given("time", request.time())));
  }

  @GetMapping("/{id}/notifications")
  List<Notification> notifications(@PathVariable("id") String id) {
    return notifications.of(id);
  }
}

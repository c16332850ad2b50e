package io.waybill.examples.services.notification;

import io.waybill.message.Event;
import io.waybill.spring.SpringOutbox;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** The business service: a reservation and its events in one transaction. */
@Service
class Reservations {
  private static final String REQUESTED = "RESERVATION_REQUESTED";

  private final JdbcClient jdbc;
  private final SpringOutbox outbox;
  private final JsonMapper json;

  Reservations(JdbcClient jdbc, SpringOutbox outbox, JsonMapper json) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
  }

  record Wanted(
      long restaurantId,
      @Nullable Long customerId,
      @Nullable Long agencyId,
      String customerName,
      int partySize,
      LocalTime time) {}

  @Transactional
  public Reservation reserve(Wanted wanted) {
    Reservation reservation =
        new Reservation(
            "RES-" + insert(wanted),
            wanted.restaurantId(),
            wanted.customerId(),
            wanted.agencyId(),
            wanted.customerName(),
            wanted.partySize(),
            wanted.time());
    String payload = json.writeValueAsString(reservation);
    List<Event> events =
        reservation.notified().entrySet().stream()
            .map(
                told ->
                    Event.builder(REQUESTED, told.getKey().name(), told.getValue().toString())
                        .id(reservation.eventId(told.getKey()))
                        .json(payload)
                        .build())
            .toList();
    outbox.append(events);
    return reservation;
  }

  private long insert(Wanted wanted) {
    return jdbc.sql(
            """
            insert into reservation
              (restaurant_id, customer_id, agency_id, customer_name, party_size, reserved_for)
            values (?, ?, ?, ?, ?, ?)
            returning id""")
        .param(wanted.restaurantId())
        .param(wanted.customerId())
        .param(wanted.agencyId())
        .param(wanted.customerName())
        .param(wanted.partySize())
        .param(wanted.time())
        .query(Long.class)
        .single();
  }
}

package io.waybill.examples.services.notification;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.LocalTime;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table for some people at some time. As JSON it is the answer to a request and the payload of
 * the events.
 *
 * @param reservationId its id
 * @param restaurantId where
 * @param customerId a customer who has an account, or null
 * @param agencyId who arranged it, or null
 * @param customerName who comes
 * @param partySize how many
 * @param time when
 */
record Reservation(
    String reservationId,
    long restaurantId,
    @Nullable Long customerId,
    @Nullable Long agencyId,
    String customerName,
    int partySize,
    @JsonFormat(pattern = "HH:mm") LocalTime time) {
  private static final int LARGE_PARTY = 8;
  private static final long ADMINS = 1;

  /** Whom it is told to, each by an event of its own. */
  Map<Recipients, Long> notified() {
    Map<Recipients, Long> notified = new EnumMap<>(Recipients.class);
    notified.put(Recipients.RESTAURANT, restaurantId);
    if (customerId != null) {
      notified.put(Recipients.CUSTOMER, customerId);
    }
    if (agencyId != null) {
      notified.put(Recipients.AGENCY, agencyId);
    }
    if (partySize > LARGE_PARTY) {
      notified.put(Recipients.ADMIN, ADMINS);
    }
    return notified;
  }

  /** RES-REQ- and the number of the reservation; one tells up to four, each by its own event. */
  String eventId(Recipients recipients) {
    return reservationId.replace("RES-", "RES-REQ-") + "-" + recipients;
  }
}

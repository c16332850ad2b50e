package io.waybill.examples.services.notification;

import java.util.Locale;

/** Who is notified: the aggregate types of the events, each with a queue of its own. */
enum Recipients {
  RESTAURANT,
  CUSTOMER,
  AGENCY,
  ADMIN;

  String queue() {
    return "notification." + name().toLowerCase(Locale.ROOT);
  }
}

package io.waybill.examples.notification;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Who is notified: the aggregate types of the events, each with a queue of its own. */
enum Recipients {
  RESTAURANT,
  CUSTOMER,
  AGENCY,
  ADMIN;

  /** The topic exchange that all events go to; a queue is bound to it under its own name. */
  static final String EXCHANGE = "notifications.exchange";

  String queue() {
    return "notification." + name().toLowerCase(Locale.ROOT);
  }

  static List<String> queues() {
    return Arrays.stream(values()).map(Recipients::queue).toList();
  }
}

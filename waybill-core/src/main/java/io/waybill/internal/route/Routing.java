package io.waybill.internal.route;

import io.waybill.message.Destination;
import io.waybill.message.Header;
import java.util.List;

/** The result of routing a row. */
public sealed interface Routing {
  /**
   * The row has a destination that its broker accepts.
   *
   * @param destination the destination
   * @param headers headers that the route adds; each replaces the event's header of the same name
   */
  record Routed(Destination destination, List<Header> headers) implements Routing {}

  /**
   * The row has no destination.
   *
   * @param reason short machine-readable class: {@code no-route}, {@code missing-field} or {@code
   *     bad-destination}
   * @param detail names the event, the template and the missing field or broken rule
   */
  record Unroutable(String reason, String detail) implements Routing {}
}

package io.waybill.route;

import io.waybill.message.Destination;
import io.waybill.message.Header;
import java.util.List;

/** Where a row goes. */
public sealed interface Routing {
  /**
   * It has a destination that its broker takes.
   *
   * @param destination the destination
   * @param headers headers that the route adds; each replaces an event's header of its name
   */
  record Routed(Destination destination, List<Header> headers) implements Routing {}

  /**
   * It has none.
   *
   * @param reason short machine-readable class: {@code no-route}, {@code missing-field} or {@code
   *     bad-destination}
   * @param detail names the event, the template and the missing field or broken rule
   */
  record Unroutable(String reason, String detail) implements Routing {}
}

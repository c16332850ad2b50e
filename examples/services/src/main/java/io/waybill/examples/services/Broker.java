package io.waybill.examples.services;

import java.util.List;
import java.util.Map;

/** A broker of the services' own, with a client that is none of them. */
interface Broker extends AutoCloseable {
  /** How services find it, as Spring Boot's properties. */
  Map<String, Object> properties();

  /** What has arrived at the client so far, in the order of arrival. */
  List<Arrival> arrivals();

  @Override
  void close();
}

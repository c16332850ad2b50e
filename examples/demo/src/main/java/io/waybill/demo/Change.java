package io.waybill.demo;

/**
 * One change of one order, as the ledger has it and as a message tells it.
 *
 * @param eventId id of the event
 * @param orderId the order, which is the ordering key
 * @param revision number of the change within the order, from 1
 */
record Change(String eventId, String orderId, long revision) {
  private static final String SEPARATOR = "\t";

  /** Where a change stands: the next of its order follows it. */
  record Place(String orderId, long revision) {
    Place next() {
      return new Place(orderId, revision + 1);
    }
  }

  Place place() {
    return new Place(orderId, revision);
  }

  String line() {
    return eventId + SEPARATOR + orderId + SEPARATOR + revision + "\n";
  }

  static Change parse(String line) {
    String[] parts = line.split(SEPARATOR, -1);
    return new Change(parts[0], parts[1], Long.parseLong(parts[2]));
  }
}

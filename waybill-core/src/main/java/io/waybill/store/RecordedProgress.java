package io.waybill.store;

import java.util.Map;

/**
 * The state of an inbox in a database, for example after a failover.
 *
 * @param server names the server and the point of its history; different if the committed data may
 *     differ
 * @param places progress of lanes according to the database; without lanes that it does not know
 */
public record RecordedProgress(String server, Map<String, Place> places) {
  /**
   * The progress of a lane.
   *
   * @param server server on which it was recorded
   * @param position everything before it was committed there by then
   */
  public record Place(String server, long position) {}

  /** Copies the places. */
  public RecordedProgress {
    places = Map.copyOf(places);
  }
}

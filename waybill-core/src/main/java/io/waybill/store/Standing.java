package io.waybill.store;

import java.util.Map;

/**
 * What a database has of an inbox, after a failover for example.
 *
 * @param server names server and point of its history; different if what is committed may differ
 * @param places how far lanes are, as the database has it; nothing of lanes that it does not know
 */
public record Standing(String server, Map<String, Place> places) {
  /**
   * How far a lane is.
   *
   * @param server on which server that was noted
   * @param position everything before it was committed there by then
   */
  public record Place(String server, long position) {}

  /** Copies the places. */
  public Standing {
    places = Map.copyOf(places);
  }
}

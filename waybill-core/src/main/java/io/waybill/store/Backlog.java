package io.waybill.store;

import java.util.List;

/**
 * The blocked keys that a new owner of lanes finds in them.
 *
 * @param failed rows in state RETRY or PARKED: heads of blocked keys; parked rows, of which there
 *     may be any number, come without headers and payload
 * @param held keys with held rows; if a key is listed several times, its numbers add up
 * @param orphaned rows with a failure or held record that others removed or marked
 */
public record Backlog(List<FailedRow> failed, List<HeldKey> held, List<RowRef> orphaned) {
  /** Nothing blocked. */
  public static final Backlog NONE = new Backlog(List.of(), List.of());

  /**
   * Creates a backlog whose records all have their rows.
   *
   * @param failed rows in state RETRY or PARKED
   * @param held keys with held rows
   */
  public Backlog(List<FailedRow> failed, List<HeldKey> held) {
    this(failed, held, List.of());
  }
}

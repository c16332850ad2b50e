package io.waybill.store;

import java.util.List;

/**
 * What a new owner of lanes finds blocked in them.
 *
 * @param failed rows in state RETRY or PARKED: heads of blocked keys; parked ones, of which there
 *     may be any number, without headers and payload
 * @param held keys with held rows; a key that stands here several times has as many as all say
 * @param orphaned rows that have a failure or held record and that somebody removed or marked
 */
public record Backlog(List<FailedRow> failed, List<HeldKey> held, List<RowRef> orphaned) {
  /** Nothing blocked. */
  public static final Backlog NONE = new Backlog(List.of(), List.of());

  /**
   * A backlog whose records all have their rows.
   *
   * @param failed rows in state RETRY or PARKED
   * @param held keys with held rows
   */
  public Backlog(List<FailedRow> failed, List<HeldKey> held) {
    this(failed, held, List.of());
  }
}

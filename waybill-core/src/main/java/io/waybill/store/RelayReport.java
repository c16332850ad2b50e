package io.waybill.store;

import java.util.List;

/**
 * A relay's word about itself, with a renewal.
 *
 * @param leaving whether it will leave soon: other sessions then do not count it any more, and look
 *     for its lanes
 * @param failing destinations that take no events from it, a few at most; for people
 */
public record RelayReport(boolean leaving, List<FailingDestination> failing) {
  /** It stays, and all is well. */
  public static final RelayReport WELL = new RelayReport(false, List.of());

  /** Copies the list. */
  public RelayReport {
    failing = List.copyOf(failing);
  }
}

package io.waybill.store;

import java.util.List;

/**
 * Changes of state that become durable together. Settling the same one twice has the effect of
 * settling it once, so it is repeated when its commit went unanswered.
 *
 * @param published rows confirmed by the broker that never failed or were never held
 * @param recovered rows confirmed by the broker that had a failure on record or were held
 * @param failed rows with their new failure state
 * @param held rows that wait behind a blocked key or destination, under {@link HeldKey#nameOf}; a
 *     failure on record is removed
 * @param handled operator requests that have been carried out or refused
 * @param forgotten rows whose failure or held record is removed and that are left as they are:
 *     somebody else marked or removed them
 * @param setAside rows whose change the database refused: noted beside the outbox alone, as parked
 */
public record Settlement(
    List<OutboxRow> published,
    List<OutboxRow> recovered,
    List<FailedRow> failed,
    List<OutboxRow> held,
    List<HandledRequest> handled,
    List<RowRef> forgotten,
    List<FailedRow> setAside) {
  /**
   * The answer to an operator's request.
   *
   * @param requestId the request
   * @param done whether it was carried out
   * @param note what was done, or why not
   */
  public record HandledRequest(long requestId, boolean done, String note) {}

  /** A settlement that forgets nothing. */
  public Settlement(
      List<OutboxRow> published,
      List<OutboxRow> recovered,
      List<FailedRow> failed,
      List<OutboxRow> held,
      List<HandledRequest> handled) {
    this(published, recovered, failed, held, handled, List.of(), List.of());
  }

  /**
   * A settlement of published rows alone, the usual case.
   *
   * @param rows rows confirmed by the broker
   * @return the settlement
   */
  public static Settlement published(List<OutboxRow> rows) {
    return new Settlement(rows, List.of(), List.of(), List.of(), List.of());
  }

  /**
   * Number of changes.
   *
   * @return changes of all kinds together
   */
  public int size() {
    return published.size()
        + recovered.size()
        + failed.size()
        + held.size()
        + handled.size()
        + forgotten.size()
        + setAside.size();
  }
}

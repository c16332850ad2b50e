package io.waybill.store;

import java.util.List;

/**
 * State changes that become durable together, those of one row at least. Settling twice has the
 * same effect as settling once, so a settlement is repeated when its commit got no answer.
 *
 * @param published rows confirmed by the broker that never failed or were never held
 * @param recovered rows confirmed by the broker that had a failure on record or were held
 * @param failed rows with their new failure state
 * @param held rows that wait behind a blocked key or destination, under {@link HeldKey#nameOf}; a
 *     failure on record is removed
 * @param handled operator requests that have been carried out or refused
 * @param forgotten rows whose failure or held record is removed, and which stay unchanged: others
 *     marked or removed them
 * @param setAside rows whose change the database refused: recorded as parked, in the side tables
 *     only
 * @param noted waiting rows, first of their keys, with why they wait and when they are tried next:
 *     shown in the columns that the table has for that, if it has any, and recorded nowhere else.
 *     Their state is {@link RowState#RETRY} and changes nothing. A row may be held in the same
 *     settlement, and is noted after that
 */
public record Settlement(
    List<OutboxRow> published,
    List<OutboxRow> recovered,
    List<FailedRow> failed,
    List<OutboxRow> held,
    List<HandledRequest> handled,
    List<RowRef> forgotten,
    List<FailedRow> setAside,
    List<FailedRow> noted) {
  /**
   * The answer to an operator's request.
   *
   * @param requestId the request
   * @param rowId id of the row that it was about
   * @param done whether it was carried out
   * @param note the result, or the reason of the refusal
   */
  public record HandledRequest(long requestId, Object rowId, boolean done, String note) {}

  /** Creates a settlement that forgets nothing. */
  public Settlement(
      List<OutboxRow> published,
      List<OutboxRow> recovered,
      List<FailedRow> failed,
      List<OutboxRow> held,
      List<HandledRequest> handled) {
    this(published, recovered, failed, held, handled, List.of(), List.of(), List.of());
  }

  /**
   * Creates a settlement of published rows only, the usual case.
   *
   * @param rows rows confirmed by the broker
   * @return the settlement
   */
  public static Settlement published(List<OutboxRow> rows) {
    return new Settlement(rows, List.of(), List.of(), List.of(), List.of());
  }

  /**
   * The settlement of a store whose table shows nothing of rows that wait.
   *
   * @return the same without notes
   */
  public Settlement withoutNotes() {
    return noted.isEmpty()
        ? this
        : new Settlement(
            published, recovered, failed, held, handled, forgotten, setAside, List.of());
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
        + setAside.size()
        + noted.size();
  }
}

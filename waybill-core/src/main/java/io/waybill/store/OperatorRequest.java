package io.waybill.store;

import io.waybill.store.Settlement.HandledRequest;
import org.jspecify.annotations.Nullable;

/**
 * An operator's request to the owner of a lane, about one event.
 *
 * @param requestId identifies the request
 * @param verb the requested action
 * @param rowId id of the row
 * @param row the row in its current state, or null if it is gone
 * @param state state of the event in the database
 * @param reason why, in the operator's words
 */
public record OperatorRequest(
    long requestId,
    Verb verb,
    Object rowId,
    @Nullable OutboxRow row,
    EventState state,
    String reason) {
  /** The state of an event, according to its rows in the database. */
  public enum EventState {
    /** Waits to be published for the first time. */
    PENDING,
    /** Waits behind a blocked key or destination. */
    HELD,
    /** Failed and waits for its next attempt. */
    RETRY,
    /** Parked. */
    PARKED,
    /** Dead. */
    DEAD,
    /** Published and kept. */
    PUBLISHED,
    /** No such event, or published and deleted. */
    GONE
  }

  /** The actions that an operator can request. */
  public enum Verb {
    /** Try a failed, parked or dead event now, with its attempts reset. */
    RETRY,
    /** Declare an unpublished event dead and let its key continue. */
    SKIP,
    /** Hold an event and its key until an operator retries, skips or buries it. */
    PARK,
    /** Like {@link #SKIP}, with a copy to the dead-letter destination if there is one. */
    BURY,
    /** Publish an event again, marked as a replay. */
    REPLAY
  }

  /**
   * The answer to it.
   *
   * @param done whether it was carried out
   * @param note the result, or the reason of the refusal
   * @return an answer for the settlement that changes the row, if one does
   */
  public HandledRequest answer(boolean done, String note) {
    return new HandledRequest(requestId, rowId, done, note);
  }
}

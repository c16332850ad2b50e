package io.waybill.store;

import org.jspecify.annotations.Nullable;

/**
 * What an operator asked the owner of a lane to do with one event.
 *
 * @param requestId identifies the request
 * @param verb what to do
 * @param rowId row it is about
 * @param row the row as it stands, or null if it is gone
 * @param standing where the event stands in the database
 * @param reason why, in the operator's words
 */
public record OperatorRequest(
    long requestId,
    Verb verb,
    Object rowId,
    @Nullable OutboxRow row,
    Standing standing,
    String reason) {
  /** Where an event stands, as its rows in the database say. */
  public enum Standing {
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

  /** What an operator can ask for. */
  public enum Verb {
    /** Try a failed, parked or dead event now, with its attempts forgotten. */
    RETRY,
    /** Give up an event that was not published and let its key go on. */
    SKIP,
    /** Hold an event and its key until an operator retries, skips or buries it. */
    PARK,
    /** Like {@link #SKIP}, with a copy to the dead-letter destination where there is one. */
    BURY,
    /** Publish an event again, marked as a replay. */
    REPLAY
  }
}

package io.waybill.store;

import java.util.List;

/**
 * Writes the results of rows. For use by one thread. Throws {@link StoreException} when the
 * database does not answer in time or refuses, and may then be called again with the same
 * settlement. Throws {@link RefusedChangeException} when the database refuses because of a row:
 * nothing was changed.
 */
public interface OutboxStore extends AutoCloseable {
  /**
   * Connects, and runs of a relay's first settlement what it can for no session, as {@link
   * OutboxReader#warmUp} does for the first reads. Changes nothing, and locks no row of the outbox.
   *
   * @param rows some rows of the outbox, or none
   */
  void warmUp(List<OutboxRow> rows);

  /**
   * Makes the changes durable, all or none, if the session still holds its fence.
   *
   * @param session the settling session
   * @param settlement the changes
   * @return the changed rows
   */
  Settled settle(Session session, Settlement settlement);

  /**
   * The answer to a settlement.
   *
   * @param fenced true if the session has been replaced: nothing was changed
   * @param won changed rows
   */
  record Settled(boolean fenced, int won) {}

  @Override
  void close();
}

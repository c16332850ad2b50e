package io.waybill.store;

/**
 * Writes what became of rows. Used by one thread; throws {@link StoreException} when the database
 * does not answer in time or refuses, and may then be called again with the same settlement. Throws
 * {@link RefusedChangeException} when it refuses because of a row: nothing was changed.
 */
public interface OutboxStore extends AutoCloseable {
  /**
   * Makes the changes durable, all or none, if the session still holds its fence.
   *
   * @param session the settling session
   * @param settlement the changes
   * @return what was won
   */
  Settled settle(Session session, Settlement settlement);

  /**
   * The answer to a settlement.
   *
   * @param fenced true if the session has been replaced: nothing was changed
   * @param won rows changed
   */
  record Settled(boolean fenced, int won) {}

  @Override
  void close();
}

package io.waybill.store;

/**
 * The database does not stand where the session joined: another server answers, or one that was set
 * back. Nothing that the session knows holds there, so nothing was done. It never ends by trying
 * again: whoever owns the session forgets everything and joins anew.
 */
public final class SessionLostException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient Session session;

  /**
   * Names the session.
   *
   * @param session what was lost
   * @param message how it was noticed
   */
  public SessionLostException(Session session, String message) {
    super(message, null, false);
    this.session = session;
  }

  /**
   * What was lost.
   *
   * @return the session as the caller knew it
   */
  public Session session() {
    return session;
  }
}

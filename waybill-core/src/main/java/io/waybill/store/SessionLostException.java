package io.waybill.store;

/**
 * The database is not where the session joined: a different server answers, or the server was set
 * back. The session's knowledge is not valid there, so nothing was done. Trying again never helps:
 * the owner of the session must forget everything and join again.
 */
public final class SessionLostException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient Session session;

  /**
   * Creates the exception.
   *
   * @param session the lost session
   * @param message how the loss was noticed
   */
  public SessionLostException(Session session, String message) {
    super(message, null, false);
    this.session = session;
  }

  /**
   * The lost session.
   *
   * @return the session as the caller knew it
   */
  public Session session() {
    return session;
  }
}

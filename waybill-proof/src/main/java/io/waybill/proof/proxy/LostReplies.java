package io.waybill.proof.proxy;

import io.waybill.database.ConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections on which the reply to a commit can get lost: the server has done it, and the client
 * does not know. Thread-safe.
 */
public final class LostReplies implements ConnectionFactory {
  private final ConnectionFactory connections;
  private final AtomicInteger toLose = new AtomicInteger();

  /**
   * Loses nothing yet.
   *
   * @param connections opens the real ones
   */
  public LostReplies(ConnectionFactory connections) {
    this.connections = connections;
  }

  /** The reply to the next commit is lost. */
  public void loseNext() {
    toLose.set(1);
  }

  /**
   * Whether a reply that was to be lost has been.
   *
   * @return true if none is waiting to be lost
   */
  public boolean lost() {
    return toLose.get() == 0;
  }

  @Override
  public Connection open() throws SQLException {
    Connection connection = connections.open();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(connection, arguments);
                if (method.getName().equals("commit") && toLose.getAndSet(0) > 0) {
                  connection.close();
                  throw new SQLException("The reply to a commit was lost", "08006");
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}

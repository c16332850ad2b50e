package io.waybill.testkit;

import io.waybill.jdbc.ConnectionFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections on which the reply to some commits is lost: the server has done them. */
final class LostReplies implements ConnectionFactory {
  private final ConnectionFactory connections;
  private final AtomicInteger toLose = new AtomicInteger();

  LostReplies(ConnectionFactory connections) {
    this.connections = connections;
  }

  /** The reply to the next commit is lost. */
  void loseNext() {
    toLose.set(1);
  }

  boolean lost() {
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

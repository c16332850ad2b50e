package io.waybill.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection as a handler gets it: the end of the transaction is not the handler's business,
 * and an effect that commits without the claim would be made twice.
 */
final class HandlerConnection implements InvocationHandler {
  private static final Set<String> REFUSED =
      Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

  private final Connection connection;

  private HandlerConnection(Connection connection) {
    this.connection = connection;
  }

  static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            HandlerConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new HandlerConnection(connection));
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    // A rollback to a savepoint is the handler's own.
    boolean all = name.equals("rollback") && method.getParameterCount() == 0;
    if (all || REFUSED.contains(name)) {
      throw new IllegalStateException(
          "A handler must not call "
              + name
              + " on its connection: the inbox ends the transaction, with the effect and the note"
              + " that the event was processed together");
    }
    if (name.equals("equals") && arguments != null) {
      return self == arguments[0];
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}

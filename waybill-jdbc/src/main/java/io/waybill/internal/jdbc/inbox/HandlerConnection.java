package io.waybill.internal.jdbc.inbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection as a handler gets it: the end of the transaction is not the handler's business,
 * and an effect that commits without the claim would be made twice. A listener hears of each
 * statement before it runs, as far as this connection sees it.
 */
final class HandlerConnection implements InvocationHandler {
  private static final Set<String> REFUSED =
      Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

  /** Hears of statements. */
  @FunctionalInterface
  interface Listener {
    /**
     * Called before a statement is prepared or run.
     *
     * @param sql its text, empty if it will not be seen
     */
    void before(String sql) throws SQLException;
  }

  private final Connection connection;
  private final Listener listener;

  private HandlerConnection(Connection connection, Listener listener) {
    this.connection = connection;
    this.listener = listener;
  }

  static Connection of(Connection connection, Listener listener) {
    return proxy(Connection.class, new HandlerConnection(connection, listener));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            HandlerConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public @Nullable Object invoke(
      Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    String name = method.getName();
    // A rollback to a savepoint is the handler's own.
    boolean all = name.equals("rollback") && method.getParameterCount() == 0;
    if (all || REFUSED.contains(name)) {
      throw new IllegalStateException(
          "A handler must not call "
              + name
              + " on its connection: the inbox ends the transaction, which holds both the effect"
              + " and the record that the event was processed");
    }
    if (name.equals("equals") && arguments != null) {
      return self == arguments[0];
    }
    if (name.startsWith("prepare")) {
      tell(arguments);
    } else if (name.equals("unwrap")) {
      listener.before("");
    }
    Object result = call(connection, method, arguments);
    return name.equals("createStatement") && result instanceof Statement plain
        ? proxy(Statement.class, new Plain(plain, (Connection) self))
        : result;
  }

  /** The text of a statement is always the first argument. */
  private void tell(@Nullable Object @Nullable [] arguments) throws SQLException {
    if (arguments != null && arguments[0] instanceof String sql) {
      listener.before(sql);
    }
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** A statement that is given its text when it runs. */
  private final class Plain implements InvocationHandler {
    private final Statement statement;
    private final Connection owner;

    Plain(Statement statement, Connection owner) {
      this.statement = statement;
      this.owner = owner;
    }

    @Override
    public @Nullable Object invoke(
        Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      String name = method.getName();
      if (name.equals("getConnection")) {
        return owner;
      }
      if (name.equals("equals") && arguments != null) {
        return self == arguments[0];
      }
      if (name.startsWith("execute") || name.equals("addBatch")) {
        tell(arguments);
      } else if (name.equals("unwrap")) {
        listener.before("");
      }
      return call(statement, method, arguments);
    }
  }
}

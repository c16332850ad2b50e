package io.waybill.bench.micro;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;

/** A driver that takes parameters and statements and sends nothing. */
final class NoDatabase {
  private static final Array ARRAY = proxy(Array.class, (self, method, arguments) -> null);
  private static final PreparedStatement STATEMENT =
      proxy(
          PreparedStatement.class,
          (self, method, arguments) -> method.getReturnType() == int.class ? 1 : null);

  private NoDatabase() {}

  static Connection connection() {
    return proxy(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "prepareStatement" -> STATEMENT;
              case "createArrayOf" -> ARRAY;
              case "getAutoCommit" -> false;
              default -> throw new IllegalStateException("No append calls " + method.getName());
            });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}

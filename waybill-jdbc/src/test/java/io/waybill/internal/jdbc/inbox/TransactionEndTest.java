package io.waybill.internal.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.database.InboxOptions;
import io.waybill.database.TransactionSource;
import io.waybill.internal.work.Ticker;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionEndTest {
  private static final InboxHistory HISTORY = new InboxHistory(connection -> "server");

  private final List<String> done = new ArrayList<>();
  private final PreparedStatement statement =
      proxy(
          PreparedStatement.class,
          (proxy, method, args) -> {
            throw new NoClassDefFoundError("org/postgresql/util/Missing");
          });
  private final Connection connection =
      proxy(
          Connection.class,
          (proxy, method, args) -> {
            done.add(method.getName());
            return method.getName().equals("prepareStatement") ? statement : null;
          });

  @Test
  void aDriverThatFailsWithAnErrorLeavesNoTransactionOfAFrameworkOpen() throws SQLException {
    InboxConnection mine = new InboxConnection(connection, "server");
    mine.prepare("select 1");
    TransactionEnd end = new TransactionEnd.Joined(HISTORY, mine, new Outer());

    assertThatThrownBy(end::rollback).isInstanceOf(NoClassDefFoundError.class);
    end.close();

    assertThat(done).containsExactly("prepareStatement", "outer rollback", "outer rollback");
  }

  @Test
  void aConnectionWhoseRollbackFailsWithAnErrorServesNobodyAnyMore() {
    Connection failing =
        proxy(
            Connection.class,
            (proxy, method, args) -> {
              done.add(method.getName());
              if (method.getName().equals("rollback")) {
                throw new StackOverflowError();
              }
              return null;
            });
    InboxConnections connections =
        new InboxConnections(
            () -> failing,
            (fresh, name, limit) -> {},
            HISTORY,
            InboxOptions.ofDefaults(),
            Ticker.SYSTEM);
    TransactionEnd end =
        new TransactionEnd.Own(connections, new InboxConnection(failing, "server"));

    assertThatThrownBy(end::rollback).isInstanceOf(StackOverflowError.class);
    end.close();

    assertThat(done).containsExactly("rollback", "close");
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final class Outer implements TransactionSource.Managed {
    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void commit() {
      done.add("outer commit");
    }

    @Override
    public void rollback() {
      done.add("outer rollback");
    }
  }
}

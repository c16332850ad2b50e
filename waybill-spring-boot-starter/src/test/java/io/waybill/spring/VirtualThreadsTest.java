package io.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.AppendDialect;
import io.waybill.message.Event;
import io.waybill.outbox.Outbox;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions of virtual threads, without a database, so that every pass on a new JDK has them.
 */
class VirtualThreadsTest {
  private static final int THREADS = 40;

  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final CountDownLatch allInside = new CountDownLatch(THREADS);

  /** Connections that keep what is appended to them until they commit. */
  private final class Source extends AbstractDataSource {
    @Override
    public Connection getConnection() {
      List<String> pending = new ArrayList<>();
      boolean[] autoCommit = {true};
      return (Connection)
          Proxy.newProxyInstance(
              VirtualThreadsTest.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (self, method, arguments) -> answer(method, arguments, pending, autoCommit));
    }

    @Override
    public Connection getConnection(String user, String password) {
      return getConnection();
    }

    private @Nullable Object answer(
        Method method, Object @Nullable [] arguments, List<String> pending, boolean[] autoCommit) {
      switch (method.getName()) {
        case "setAutoCommit" -> autoCommit[0] = arguments != null && (boolean) arguments[0];
        case "nativeSQL" -> pending.add(arguments == null ? "" : (String) arguments[0]);
        case "commit" -> committed.addAll(pending);
        case "getAutoCommit" -> {
          return autoCommit[0];
        }
        default -> {
          return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
        }
      }
      return null;
    }
  }

  private static final class Table implements AppendDialect {
    @Override
    public void insert(Connection connection, List<Event> events) throws SQLException {
      for (Event event : events) {
        connection.nativeSQL(event.type());
      }
    }

    @Override
    public @Nullable Duplicate duplicate(SQLException failure, List<Event> events) {
      return null;
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void eachHasATransactionOfItsOwn() throws Exception {
    Source source = new Source();
    TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(source));
    SpringOutbox outbox = SpringOutbox.joining(source, Outbox.of(new Table()), () -> null);
    ExecutorService threads =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    List<Callable<Void>> work =
        IntStream.range(0, THREADS)
            .mapToObj(number -> (Callable<Void>) () -> append(transaction, outbox, number))
            .toList();
    try {
      for (Future<Void> each : threads.invokeAll(work)) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }

    assertThat(new TreeSet<>(committed))
        .hasSize(THREADS / 2)
        .allMatch(type -> Integer.parseInt(type.substring("order.".length())) % 2 == 0);
  }

  /** Commits those of even numbers, all at the same time. */
  private @Nullable Void append(TransactionTemplate transaction, SpringOutbox outbox, int number) {
    transaction.executeWithoutResult(
        status -> {
          outbox.append(Event.builder("order." + number, "order", "1").json("{}").build());
          allInside.countDown();
          try {
            allInside.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          if (number % 2 == 1) {
            status.setRollbackOnly();
          }
        });
    return null;
  }
}

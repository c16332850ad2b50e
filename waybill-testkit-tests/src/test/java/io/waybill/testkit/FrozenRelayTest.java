package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.database.ConnectionFactory;
import io.waybill.internal.jdbc.outbox.TableOptions;
import io.waybill.internal.jdbc.outbox.TableOutbox;
import io.waybill.store.LaneStore;
import io.waybill.store.Session;
import io.waybill.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A relay that freezes in a transaction, or whose machine does, keeps its lanes no longer than its
 * lease and the time for which a transaction may rest. The server does not learn that it is gone.
 */
@Tag("server")
@Timeout(120)
class FrozenRelayTest {
  private static final Duration REST = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofSeconds(2);

  @Test
  void onPostgres() throws Exception {
    losesItsLanes(new LayoutFixture(new PostgresTestDatabase(), SampleTable.OWN));
  }

  @Test
  void onMariaDb() throws Exception {
    losesItsLanes(new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN));
  }

  private static void losesItsLanes(LayoutFixture fixture) throws Exception {
    CountDownLatch frozen = new CountDownLatch(1);
    CountDownLatch thawed = new CountDownLatch(1);
    try (LaneStore stalling =
            lanes(fixture, freezing(fixture.connections(), frozen, thawed), REST);
        LaneStore lanes = lanes(fixture, fixture.connections(), Duration.ofSeconds(10))) {
      Session relay = lanes.join("frozen", LEASE);
      Session other = lanes.join("other", Duration.ofMinutes(1));
      FutureTask<Set<Integer>> acquiring =
          new FutureTask<>(() -> stalling.acquire(relay, Set.of(0)));
      new Thread(acquiring, "frozen relay").start();
      assertThat(frozen.await(30, TimeUnit.SECONDS)).as("frozen before its commit").isTrue();

      await()
          .atMost(Patience.of(Duration.ofSeconds(15)))
          .ignoreExceptionsInstanceOf(StoreException.class)
          .until(() -> lanes.view(other).sessions() == 1);

      assertThat(lanes.acquire(other, Set.of(0))).containsExactly(0);
      thawed.countDown();
      assertThatThrownBy(acquiring::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(StoreException.class);
      assertThat(lanes.view(other).mine()).containsExactly(0);
    } finally {
      thawed.countDown();
    }
  }

  private static LaneStore lanes(
      LayoutFixture fixture, ConnectionFactory connections, Duration limit) {
    TableOptions options = TableOptions.defaults(fixture.layout()).statementLimit(limit);
    return TableOutbox.of(connections, fixture.layout(), fixture.kind(), options).lanes();
  }

  /** Connections whose commit is not sent before it is thawed. */
  private static ConnectionFactory freezing(
      ConnectionFactory connections, CountDownLatch frozen, CountDownLatch thawed) {
    return () -> {
      Connection connection = connections.open();
      return (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("commit")) {
                  frozen.countDown();
                  thawed.await();
                }
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    };
  }
}

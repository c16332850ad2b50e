package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Toxic;
import io.waybill.store.LaneStore;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MariaDbOwnTableStoreTest extends OutboxStoreContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);
  private static final Duration LIMIT = Patience.of(Duration.ofSeconds(20));

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  /**
   * The transaction keeps the session from its renewals, and each of these rows takes a statement.
   */
  @Test
  void manyWaitingRowsAreNotSettledInOneTransaction() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows =
        written(IntStream.range(0, 1_200).mapToObj(Integer::toString).toArray(String[]::new));
    OutboxStore store = store();
    OutboxRow last = rows.get(rows.size() - 1);
    try (Connection other = FIXTURE.connect()) {
      other.setAutoCommit(false);
      hold(other, last);
      CompletableFuture<Settled> settled =
          CompletableFuture.supplyAsync(
              () -> store.settle(session, settlement(List.of(), List.of(), rows)));
      await().atMost(LIMIT).until(() -> held() > 0);
      assertThat(settled).isNotDone();
      other.rollback();
      assertThat(settled.join()).isEqualTo(new Settled(false, 1_200));
    }
    assertThat(held()).isEqualTo(1_200);
  }

  /** All of them together take longer than a renewal waits for a lock. */
  @Test
  void renewalsSucceedWhileManyRowsAreSettledOverASlowNetwork() throws SQLException {
    Session session = owner();
    List<OutboxRow> rows =
        written(IntStream.range(0, 220).mapToObj(Integer::toString).toArray(String[]::new));
    try (Proxy network = MariaDbTestDatabase.network();
        OutboxStore store = FIXTURE.store(MariaDbTestDatabase.connections(network));
        LaneStore lanes = FIXTURE.lanes()) {
      store.settle(session, Settlement.published(rows.subList(0, 1)));
      network.add(Toxic.bandwidth(10_000));
      CompletableFuture<Settled> settled =
          CompletableFuture.supplyAsync(
              () ->
                  store.settle(
                      session, settlement(List.of(), List.of(), rows.subList(1, rows.size()))));
      while (!settled.isDone()) {
        assertThat(lanes.renew(session, LEASE)).isTrue();
      }
      assertThat(settled.join().won()).isEqualTo(rows.size() - 1);
    }
  }

  private static void hold(Connection connection, OutboxRow row) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into %s.waybill_held values (?, 0, 0, 'order', '1')"
                .formatted(FIXTURE.schema()))) {
      statement.setObject(1, row.rowId());
      statement.executeUpdate();
    }
  }

  private static long held() throws SQLException {
    try (Connection connection = FIXTURE.connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select count(*) from %s.waybill_held".formatted(FIXTURE.schema()))) {
      result.next();
      return result.getLong(1);
    }
  }
}

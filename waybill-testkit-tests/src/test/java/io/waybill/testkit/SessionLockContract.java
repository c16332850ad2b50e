package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.TakeOver;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lock of a relay's session, on a database that has such locks. */
abstract class SessionLockContract extends LaneStoreContract {
  // A lock that ends twice within two seconds is one that nobody can rely on.
  private static final Duration APART = Duration.ofMillis(2500);

  /** A query for the number of the connection that holds the lock of a session. */
  abstract String holder(long fence);

  /** A statement that ends a connection. */
  abstract String end(long connection);

  @Test
  void aLockWhoseConnectionEndsIsTakenBackInTime() throws SQLException {
    LaneStore lanes = lanes();
    Session living = lanes.join("living", LEASE);
    lanes.acquire(living, allLanes());
    LaneStore others = lanes();
    Session looking = others.join("looking", LEASE);
    List<TakeOver> takenOver = new ArrayList<>();
    long former = 0;
    for (int i = 0; i < 3; i++) {
      long since = System.nanoTime();
      long known = former;
      former =
          await()
              .pollInterval(Duration.ofMillis(50))
              .atMost(Patience.of(Duration.ofSeconds(20)))
              .until(
                  () -> {
                    takenOver.addAll(others.view(looking).takenOver());
                    return System.nanoTime() - since < APART.toNanos() ? 0 : holderOf(living);
                  },
                  holder -> holder != 0 && holder != known);
      try (Connection connection = fixture().connect();
          Statement statement = connection.createStatement()) {
        statement.execute(end(former));
      }
    }
    await()
        .during(APART)
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .until(() -> takenOver.addAll(others.view(looking).takenOver()) || takenOver.isEmpty());
    assertThat(takenOver).isEmpty();
    assertThat(lanes.view(living))
        .returns(true, LaneView::alive)
        .returns(allLanes(), LaneView::mine);
  }

  @Test
  void aWarmUpTellsWhetherARelayLivesAndStays() {
    LaneStore starting = lanes();
    assertThat(starting.warmUp()).isFalse();
    LaneStore lanes = lanes();
    Session other = lanes.join("other", LEASE);
    await().atMost(Patience.of(Duration.ofSeconds(20))).until(starting::warmUp);

    assertThat(lanes.renew(other, LEASE, new RelayReport(true, List.of()))).isTrue();
    assertThat(starting.warmUp()).as("beside one that will leave").isFalse();
    assertThat(lanes.renew(other, LEASE)).isTrue();
    assertThat(starting.warmUp()).isTrue();
    lanes.close();
    await().atMost(Patience.of(Duration.ofSeconds(20))).until(() -> !starting.warmUp());
    Session joined = starting.join("starting", LEASE);
    assertThat(joined.fence()).as("a warm-up starts no session").isEqualTo(other.fence() + 1);
    await("its lock has been seen: nobody waits for its lease")
        .atMost(Patience.of(Duration.ofSeconds(20)))
        .until(() -> !starting.view(joined).takenOver().isEmpty());
  }

  @Test
  void aRelayWhoseLeaseHasEndedDoesNotStayForAWarmUp() throws SQLException {
    LaneStore lanes = lanes();
    Session frozen = lanes.join("frozen", LEASE);
    LaneStore starting = lanes();
    await().atMost(Patience.of(Duration.ofSeconds(20))).until(starting::warmUp);

    assertThat(lanes.renew(frozen, Duration.ofMillis(1))).isTrue();
    await().atMost(Patience.of(Duration.ofSeconds(20))).until(() -> !starting.warmUp());
    assertThat(holderOf(frozen)).isNotZero();
  }

  /** None is 0. */
  private long holderOf(Session session) throws SQLException {
    try (Connection connection = fixture().connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(holder(session.fence()))) {
      return result.next() ? result.getLong(1) : 0;
    }
  }
}

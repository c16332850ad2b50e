package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.store.LaneStore;
import io.waybill.store.LaneView;
import io.waybill.store.RelayReport;
import io.waybill.store.Session;
import io.waybill.store.TakeOver;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What every {@link LaneStore} must do. */
public abstract class LaneStoreContract extends StoreContract {
  private static final Duration SHORT = Duration.ofMillis(1500);

  @Test
  void fencesGrow() {
    LaneStore lanes = lanes();
    Session first = lanes.join("a", LEASE);
    lanes.leave(first);
    Session second = lanes.join("a", LEASE);
    assertThat(second.fence()).isGreaterThan(first.fence());
    assertThat(second.relay()).isEqualTo("a");
  }

  @Test
  void aLaneHasOneOwner() {
    LaneStore lanes = lanes();
    Session a = lanes.join("a", LEASE);
    Session b = lanes.join("b", LEASE);
    assertThat(lanes.acquire(a, Set.of(0, 1, 2))).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(lanes.acquire(b, Set.of(1, 2, 3))).containsExactly(3);

    LaneView view = lanes.view(b);

    assertThat(view.alive()).isTrue();
    assertThat(view.mine()).containsExactly(3);
    assertThat(view.sessions()).isEqualTo(2);
    assertThat(view.free()).doesNotContain(0, 1, 2, 3).hasSize(view.lanes() - 4);
  }

  @Test
  void onlyTheOwnerReleases() {
    LaneStore lanes = lanes();
    Session a = lanes.join("a", LEASE);
    Session b = lanes.join("b", LEASE);
    lanes.acquire(a, Set.of(0, 1));
    lanes.release(b, Set.of(0));
    assertThat(lanes.view(a).mine()).containsExactly(0, 1);
    lanes.release(a, Set.of(0));
    assertThat(lanes.view(a).mine()).containsExactly(1);
    assertThat(lanes.acquire(b, Set.of(0, 1))).containsExactly(0);
  }

  @Test
  void leavingFreesAllLanes() {
    LaneStore lanes = lanes();
    Session a = lanes.join("a", LEASE);
    Session b = lanes.join("b", LEASE);
    lanes.acquire(a, Set.of(0, 1));
    lanes.leave(a);
    LaneView view = lanes.view(b);
    assertThat(view.free()).contains(0, 1);
    assertThat(view.sessions()).isEqualTo(1);
    assertThat(lanes.view(a).alive()).isFalse();
    assertThat(lanes.renew(a, LEASE)).isFalse();
    assertThat(lanes.acquire(a, Set.of(0))).isEmpty();
  }

  @Test
  void whoSaysThatItLeavesCountsForItselfAndNotForOthers() {
    LaneStore lanes = lanes();
    Session a = lanes.join("a", LEASE);
    Session b = lanes.join("b", LEASE);
    lanes.acquire(a, Set.of(0, 1));

    assertThat(lanes.renew(a, LEASE, new RelayReport(true, List.of()))).isTrue();

    assertThat(lanes.view(b)).returns(1, LaneView::sessions);
    assertThat(lanes.view(a)).returns(2, LaneView::sessions).returns(Set.of(0, 1), LaneView::mine);
    assertThat(lanes.view(b).free()).doesNotContain(0, 1);
  }

  @Test
  void aDeadRelayLosesItsLanesAfterItsLeaseAndNotBefore() {
    LaneStore lanes = lanes();
    Session b = lanes.join("b", LEASE);
    long started = System.nanoTime();
    Session a = lanes.join("a", SHORT);
    lanes.acquire(a, Set.of(0, 1));
    assertThat(lanes.acquire(b, Set.of(0))).isEmpty();

    await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> lanes.view(b).free().contains(0));

    assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(SHORT.toNanos());
    assertThat(lanes.acquire(b, Set.of(0, 1))).containsExactlyInAnyOrder(0, 1);
    assertThat(lanes.renew(a, LEASE)).isFalse();
    assertThat(lanes.view(a)).returns(false, LaneView::alive).returns(Set.of(), LaneView::mine);
  }

  @Test
  void aRelayThatIsGoneLosesItsLanesLongBeforeItsLeaseEnds() {
    LaneStore survivor = lanes();
    Session b = survivor.join("b", LEASE);
    LaneStore gone = lanes();
    Session a = gone.join("a", LEASE);
    gone.acquire(a, Set.of(0, 1));
    await().during(Duration.ofSeconds(1)).until(() -> survivor.view(b).takenOver().isEmpty());

    gone.close();

    List<TakeOver> takenOver = new ArrayList<>();
    await()
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> takenOver.addAll(survivor.view(b).takenOver()));
    assertThat(takenOver)
        .singleElement()
        .returns(a.fence(), TakeOver::fence)
        .returns("a", TakeOver::relay)
        .returns(2, TakeOver::lanes)
        .returns(TakeOver.Cause.SESSION_ENDED, TakeOver::cause)
        .satisfies(dead -> assertThat(dead.silentMillis()).isBetween(500L, 10_000L));
    assertThat(survivor.acquire(b, Set.of(0, 1))).containsExactlyInAnyOrder(0, 1);
    assertThat(survivor.view(b).quietMillis()).isBetween(30_000L, LEASE.toMillis());
  }

  @Test
  void aRelayWhoseLockWasNeverSeenIsJudgedByItsLease() {
    LaneStore gone = lanes();
    Session a = gone.join("a", LEASE);
    gone.acquire(a, Set.of(0, 1));
    gone.close();
    LaneStore survivor = lanes();
    Session b = survivor.join("b", LEASE);
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> !survivor.view(b).free().contains(0));
  }

  @Test
  void theLeaseOfADeadRelayIsOverBeforeItsLanesAreTaken() {
    LaneStore lanes = lanes();
    Session b = lanes.join("b", LEASE);
    lanes.acquire(lanes.join("a", Duration.ofMillis(1)), Set.of(0));
    List<TakeOver> takenOver = new ArrayList<>();
    await().until(() -> takenOver.addAll(lanes.view(b).takenOver()));
    assertThat(takenOver).singleElement().returns(TakeOver.Cause.LEASE_ENDED, TakeOver::cause);
    lanes.acquire(b, Set.of(0));
    assertThat(lanes.view(b).quietMillis()).as("for clocks that run apart").isBetween(0L, 500L);
  }

  @Test
  void aDeadRelayThatStillHoldsLocksKeepsNobodyFromViewsAndRenewals() throws SQLException {
    LaneStore lanes = lanes();
    Session living = lanes.join("living", LEASE);
    Session dead = lanes.join("dead", Duration.ofMillis(1));
    Session gone = lanes.join("gone", Duration.ofMillis(1));
    lanes.acquire(dead, Set.of(0));
    lanes.acquire(gone, Set.of(1));
    try (Connection settling = fixture().connect();
        Statement lock = settling.createStatement()) {
      settling.setAutoCommit(false);
      lock.execute(
          "update %s set relay = 'busy' where fence = %d"
              .formatted(fixture().table("session"), dead.fence()));

      await().until(() -> lanes.view(living).free().contains(1));
      long started = System.nanoTime();
      assertThat(lanes.view(living).free()).doesNotContain(0);
      assertThat(lanes.renew(living, LEASE)).isTrue();
      assertThat(System.nanoTime() - started).isLessThan(Duration.ofSeconds(2).toNanos());
      settling.rollback();
    }
    assertThat(lanes.view(living).free()).contains(0);
  }

  @Test
  void aRenewalFindsWhetherTheDatabaseHasForgottenEarlierOnes() {
    LaneStore lanes = lanes();
    Session session = lanes.join("a", LEASE);
    assertThat(lanes.renew(session, LEASE)).isTrue();
    assertThat(lanes.renew(session.renewed(), LEASE)).isTrue();
    // The answer of the second got lost.
    assertThat(lanes.renew(session.renewed(), LEASE)).isTrue();
    assertThat(lanes.renew(session.renewed().renewed().renewed().renewed(), LEASE)).isFalse();
  }

  @Test
  void aRenewedLeaseKeepsItsLanes() {
    LaneStore lanes = lanes();
    Session b = lanes.join("b", LEASE);
    Session a = lanes.join("a", SHORT);
    lanes.acquire(a, Set.of(0));
    assertThat(lanes.renew(a, LEASE)).isTrue();
    await()
        .during(SHORT.plusMillis(500))
        .atMost(Patience.of(Duration.ofSeconds(10)))
        .until(() -> !lanes.view(b).free().contains(0));
  }

  @Test
  void relaysThatAcquireAtOnceShareWithoutOverlap() throws Exception {
    LaneStore one = lanes();
    LaneStore two = lanes();
    Session a = one.join("a", LEASE);
    Session b = two.join("b", LEASE);
    Set<Integer> all = new TreeSet<>(allLanes());
    Set<Integer> others = new TreeSet<>();
    Thread rival = new Thread(() -> others.addAll(two.acquire(b, all)));
    rival.start();
    Set<Integer> mine = one.acquire(a, all);
    rival.join();
    assertThat(Collections.disjoint(others, mine)).isTrue();
    assertThat(mine.size() + others.size()).isEqualTo(all.size());
  }
}

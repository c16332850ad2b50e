package io.waybill.torture.planted;

import io.waybill.store.LaneView;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What can be wrong about who does what, and what it leaves behind. */
final class OwnershipBugs {
  private OwnershipBugs() {}

  /** Every relay takes every lane, whoever owns it. */
  static final class NoClaim extends Behaviour {
    private final Set<Integer> taken = new HashSet<>();

    @Override
    LaneView view(LaneView view, Session session, SideTables tables) {
      Set<Integer> free = new HashSet<>(IntStream.range(0, view.lanes()).boxed().toList());
      free.removeAll(taken);
      return new LaneView(view.alive(), Set.copyOf(taken), 1, free, view.lanes());
    }

    @Override
    Set<Integer> acquired(Set<Integer> wanted, Set<Integer> won, SideTables tables) {
      taken.addAll(wanted);
      return wanted;
    }
  }

  /** Whether another relay's lease is over is decided by this machine's clock. */
  static final class LeaseOnALocalClock extends Behaviour {
    @Override
    LaneView view(LaneView view, Session session, SideTables tables) {
      tables.update(
          "delete from waybill_session where %s < %d and fence <> %d"
              .formatted(
                  tables.micros("lease_until"),
                  System.currentTimeMillis() * 1000,
                  session.fence()));
      return view;
    }
  }

  /** A relay that has lost its session goes on as if it had not. */
  static final class FencingIgnored extends Behaviour {
    @Override
    boolean renewed(boolean renewed) {
      return true;
    }

    @Override
    LaneView view(LaneView view, Session session, SideTables tables) {
      return new LaneView(true, view.mine(), view.sessions(), view.free(), view.lanes());
    }

    @Override
    Settled settled(Supplier<Settled> settle, Settlement settlement) {
      Settled settled = settle.get();
      return settled.fenced() ? new Settled(false, settlement.size()) : settled;
    }
  }

  /** Rows are removed by their age, published or not. */
  static final class RetentionOfUnpublishedRows extends Behaviour {
    private static final long MICROS = 5_000_000;

    @Override
    LaneView view(LaneView view, Session session, SideTables tables) {
      tables.update(
          "delete from waybill_outbox where %s < %s - %d"
              .formatted(tables.micros("created_at"), tables.nowMicros(), MICROS));
      return view;
    }
  }

  /** Each time that lanes are taken a connection is opened that nobody closes. */
  static final class ConnectionLeaked extends Behaviour {
    @Override
    Set<Integer> acquired(Set<Integer> wanted, Set<Integer> won, SideTables tables) {
      tables.leakConnection();
      return won;
    }
  }
}

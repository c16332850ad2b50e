package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.EventRequests;
import io.waybill.internal.jdbc.operator.GroupRetry;
import io.waybill.internal.jdbc.operator.GroupRetry.Plan;
import io.waybill.internal.jdbc.operator.GroupRetry.Progress;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.RowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What operators do besides single requests. */
final class SimOperators {
  private SimOperators() {}

  /** An operator gives up several events of one key, and then wants all of them after all. */
  static final class SecondThoughts {
    private static final int MOST = 4;

    private final World world;
    private final Dice dice;

    SecondThoughts(World world) {
      this.world = world;
      this.dice = world.dice;
    }

    void have() {
      List<SimRow> stuck =
          world.database.rows().stream()
              .filter(row -> row.key != null && isThere(row) && (row.held || row.failure != null))
              .toList();
      if (stuck.isEmpty() || !world.database.up()) {
        return;
      }
      SimRow one = dice.pick(stuck);
      ofKey(one).stream()
          .filter(row -> row.held || row.in(RowState.PARKED))
          .limit(MOST)
          .forEach(row -> world.requests.add(Verb.SKIP, row));
      // The last look at requests may be a second ago.
      world.time.after(dice.millis(500, 2_500), () -> retryAll(one));
    }

    private void retryAll(SimRow one) {
      if (world.healed() || !world.database.up()) {
        return;
      }
      if (dice.chance(0.3)) {
        new FaultPlan(world, 0).pause(one.destination);
      }
      boolean atOnce = dice.chance(0.6);
      boolean lastFirst = dice.chance(0.5);
      List<SimRow> dead = ofKey(one).stream().filter(row -> row.in(RowState.DEAD)).toList();
      for (int i = 0; i < dead.size(); i++) {
        SimRow row = dead.get(lastFirst ? dead.size() - 1 - i : i);
        if (atOnce) {
          retry(row);
        } else {
          world.time.after(dice.millis(0, 1_500), () -> retry(row));
        }
      }
    }

    private void retry(SimRow row) {
      if (!world.healed() && world.database.up() && isThere(row) && row.in(RowState.DEAD)) {
        world.requests.add(Verb.RETRY, row);
      }
    }

    private List<SimRow> ofKey(SimRow one) {
      return world.seen.ofKey(one).stream().filter(SecondThoughts::isThere).toList();
    }

    private static boolean isThere(SimRow row) {
      return row.life == SimRow.Life.COMMITTED && row.durable && !row.published;
    }
  }

  /** An operator retries a group of failures, while everything else goes on. */
  static final class Redrive {
    private static final Instruction BY = new Instruction("operator", "simulated");
    private static final long STEP = 100 * MS;

    private final World world;
    private final int canary;
    private final Plan plan;
    private final String group;
    private final RowState state;
    private final GroupRetry retry;
    private final List<SimRow> asked = new ArrayList<>();

    private Redrive(World world, FailedRow failed) {
      this.world = world;
      this.state = failed.state();
      this.group = Requests.group(failed);
      EventFilter filter = FailureGroup.filter(EventStatus.valueOf(state.name()), group);
      this.canary = world.dice.between(0, 3);
      this.plan =
          new Plan(
              filter,
              world.mutation.keeps(Rule.AWAITS_CANARIES) ? canary : 0,
              world.dice.between(2, 50),
              world.dice.between(2, 5));
      this.retry = new GroupRetry(new Requests(world, this::checkAsked), plan, BY);
    }

    /** Begins with a failure that is there, if there is one. */
    static void begin(World world) {
      List<SimRow> given =
          world.database.rows().stream()
              .filter(row -> row.durable && world.database.exists(row) && !row.published)
              .filter(row -> row.in(RowState.PARKED) || row.in(RowState.DEAD))
              .toList();
      if (given.isEmpty() || !world.database.up()) {
        return;
      }
      FailedRow failed = world.dice.pick(given).failure;
      if (failed != null && failed.destination() != null) {
        Redrive redrive = new Redrive(world, failed);
        world.seen.trace.line(() -> "retry of the group " + redrive.group + " " + redrive.plan);
        redrive.step();
      }
    }

    /** Without the database the command ends; what it has asked for takes its course. */
    private void step() {
      if (!world.database.up()) {
        return;
      }
      boolean ended = retry.step(world.time.now());
      checkProgress(retry.progress());
      if (ended) {
        world.seen.rare(
            retry.progress().stopped() == null ? RareState.GROUP_RETRIED : RareState.GROUP_STOPPED);
        return;
      }
      world.time.after(STEP, this::step);
    }

    private void checkAsked(SimRow row) {
      FailedRow failed = row.failure;
      if (failed == null || failed.state() != state || !Requests.group(failed).equals(group)) {
        throw new Violation("only events of the group", "retried: " + row);
      }
      if (!asked.isEmpty() && asked.get(asked.size() - 1).id >= row.id) {
        throw new Violation(
            "in the order of rows", row + " was asked for after " + asked.get(asked.size() - 1));
      }
      asked.add(row);
    }

    private void checkProgress(Progress progress) {
      long gone =
          asked.stream().filter(row -> row.published || !world.database.exists(row)).count();
      // A database that is set back has events again that were published.
      boolean sure = !world.swarm.otherServers && !world.swarm.store.crashes();
      if (sure && progress.published() > gone) {
        throw new Violation("no false success", progress + ", published are " + gone);
      }
      if (progress.published() == 0 && canary > 0 && asked.size() > canary) {
        throw new Violation("canary first", asked.size() + " were asked for of " + canary);
      }
      int known = progress.published() + progress.failed() + progress.refused() + progress.open();
      if (known != progress.requested()) {
        throw new Violation("an outcome for each event", progress.toString());
      }
    }
  }

  /** What operators see and ask for. */
  static final class Requests implements EventRequests {
    private final World world;
    private final Consumer<SimRow> asked;

    /** Tells each row that is asked for, whether or not it was before. */
    Requests(World world, Consumer<SimRow> asked) {
      this.world = world;
      this.asked = asked;
    }

    /** Failures of one destination and reason; the simulated events have one type. */
    static String group(FailedRow failed) {
      return failed.destination() + " " + failed.reason();
    }

    @Override
    public List<EventView> find(EventFilter filter, @Nullable String after, int limit) {
      boolean inOrder = filter.group() == null || world.mutation.keeps(Rule.LISTS_GROUPS_IN_ORDER);
      Comparator<SimRow> order = Comparator.comparingLong(row -> row.id);
      return world.database.rows().stream()
          .filter(row -> row.durable && world.database.exists(row))
          .filter(row -> after == null || row.id > Long.parseLong(after))
          .filter(row -> matches(row, filter))
          .sorted(inOrder ? order : order.reversed())
          .limit(limit)
          .map(Requests::view)
          .toList();
    }

    private boolean matches(SimRow row, EventFilter filter) {
      if (filter.group() != null) {
        FailedRow failed = row.failure;
        boolean ofGroup = failed != null && group(failed).equals(filter.group());
        return failed != null
            && !row.published
            && status(row) == filter.status()
            && (ofGroup || !world.mutation.keeps(Rule.LISTS_THE_GROUP_ALONE));
      }
      return filter.eventIds().contains(row.row.eventId());
    }

    private static EventStatus status(SimRow row) {
      if (row.published) {
        return EventStatus.PUBLISHED;
      } else if (row.in(RowState.PARKED)) {
        return EventStatus.PARKED;
      }
      return row.in(RowState.DEAD) ? EventStatus.DEAD : EventStatus.PENDING;
    }

    private static EventView view(SimRow row) {
      FailedRow failed = row.failure;
      return new EventView(
          Long.toString(row.id),
          Long.toString(row.id),
          row.row.eventId(),
          row.row.eventType(),
          row.key == null ? null : row.key.aggregateType(),
          row.key == null ? null : row.key.aggregateId(),
          row.lane,
          status(row),
          failed == null ? 0 : failed.attempts(),
          failed != null && failed.unknownOutcome(),
          null,
          failed == null ? null : failed.reason(),
          failed == null ? null : failed.detail(),
          failed == null ? null : Instant.EPOCH.plusNanos(row.failedAt),
          failed == null ? null : failed.destination(),
          row.held,
          null,
          Instant.EPOCH,
          null,
          null);
    }

    @Override
    public int request(Verb verb, EventFilter filter, int limit, Instruction by) {
      List<SimRow> rows =
          world.database.rows().stream()
              .filter(row -> row.durable && world.database.exists(row) && matches(row, filter))
              .sorted(Comparator.comparingLong(row -> row.id))
              .limit(limit)
              .toList();
      rows.forEach(asked);
      List<SimRow> news = rows.stream().filter(row -> !world.requests.isOpen(verb, row)).toList();
      news.forEach(row -> world.requests.add(verb, row));
      return news.size();
    }

    @Override
    public List<AuditEntry> audit(long beforeId, int limit) {
      return world.requests.audit(beforeId, limit);
    }
  }
}

package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.internal.jdbc.operator.EventOutcome;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.JobRun.Progress;
import io.waybill.internal.jdbc.operator.JobRun.Tally;
import io.waybill.proof.sim.seed.Dice;
import io.waybill.proof.sim.seed.Violation;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.RowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
      if (dice.chance(0.5)) {
        new FaultPlan(world, 0).pause(one.destination);
      }
      boolean atOnce = dice.chance(0.6);
      boolean lastFirst = dice.chance(0.5);
      List<SimRow> dead = ofKey(one).stream().filter(row -> row.in(RowState.DEAD)).toList();
      if (!dead.isEmpty() && !world.swarm.faultFree && dice.chance(0.5)) {
        setBack(dead.get(dead.size() - 1));
      }
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
      if (isDead(row)) {
        world.requests.add(Verb.RETRY, row);
        if (!world.swarm.faultFree && dice.chance(0.3)) {
          world.time.after(dice.millis(100, 1_500), () -> waver(row));
        }
      }
    }

    /**
     * Somebody gives it up with SQL, has it tried once more, and sets it back at the worst time.
     */
    void waver(SimRow row) {
      boolean due = row.availableAt <= world.time.now();
      if (due && !world.healed() && world.database.up() && isThere(row) && !isDead(row)) {
        world.seen.trace.line(() -> "somebody gives up " + row);
        world.database.giveUp(row);
        world.requests.add(Verb.RETRY, row);
        row.onceShown = () -> new FaultPlan(world, 0).setBack(row);
      }
    }

    /**
     * Somebody else works on the row with SQL meanwhile: a relay can't write what becomes of it.
     */
    private void setBack(SimRow row) {
      FaultPlan people = new FaultPlan(world, 0);
      people.lock(row, dice.millis(2_500, 5_000));
      world.time.after(
          dice.millis(500, 2_500),
          () -> {
            if (isDead(row)) {
              people.setBack(row);
            }
          });
    }

    private boolean isDead(SimRow row) {
      return !world.healed() && world.database.up() && isThere(row) && row.in(RowState.DEAD);
    }

    private List<SimRow> ofKey(SimRow one) {
      return world.seen.ofKey(one).stream().filter(SecondThoughts::isThere).toList();
    }

    private static boolean isThere(SimRow row) {
      return row.life == SimRow.Life.COMMITTED && row.durable && !row.published;
    }
  }

  /**
   * An operator retries a group of failures by a job, while everything else goes on. The process
   * that carries it out may end; the next one goes on with what is recorded.
   */
  static final class Job implements JobRun.Events {
    private static final long STEP = 100 * MS;
    private static final double ENDS = 0.02;

    private final World world;
    private final int canary;
    private final Pace pace;
    private final String group;
    private final RowState state;
    private final List<SimRow> planned;
    private final List<SimRow> asked = new ArrayList<>();
    // What is recorded: the numbers of requests by places in the plan, and outcomes.
    private final TreeMap<Integer, Long> open = new TreeMap<>();
    private Tally tally = Tally.NONE;
    private int next;
    private JobRun run;

    private Job(World world, FailedRow failed) {
      this.world = world;
      this.state = failed.state();
      this.group = group(failed);
      this.canary = world.dice.between(0, 3);
      this.pace =
          new Pace(
              world.mutation.keeps(Rule.AWAITS_CANARIES) ? canary : 0,
              world.dice.between(2, 50),
              world.dice.between(2, 5));
      this.planned = plan();
      // Their number is what the operator agrees to.
      planned.forEach(this::checkGroup);
      this.run = new JobRun(this, pace, tally, List.of());
    }

    /** Begins with a failure that is there, if there is one. */
    static void begin(World world) {
      List<SimRow> given =
          world.database.rows().stream()
              .filter(row -> isThere(world, row))
              .filter(row -> row.in(RowState.PARKED) || row.in(RowState.DEAD))
              .toList();
      if (given.isEmpty() || !world.database.up()) {
        return;
      }
      FailedRow failed = world.dice.pick(given).failure;
      if (failed != null && failed.destination() != null) {
        Job job = new Job(world, failed);
        world.seen.trace.line(() -> "retry of the group " + job.group + " " + job.pace);
        job.step();
      }
    }

    private static boolean isThere(World world, SimRow row) {
      return row.durable && world.database.exists(row) && !row.published;
    }

    private List<SimRow> plan() {
      Comparator<SimRow> order = Comparator.comparingLong(row -> row.id);
      boolean all = !world.mutation.keeps(Rule.LISTS_THE_GROUP_ALONE);
      return world.database.rows().stream()
          .filter(row -> isThere(world, row) && row.failure != null)
          .filter(row -> row.in(state) && (all || isOfGroup(row)))
          .sorted(world.mutation.keeps(Rule.LISTS_GROUPS_IN_ORDER) ? order : order.reversed())
          .toList();
    }

    /** Failures of one destination and reason; the simulated events have one type. */
    private static String group(FailedRow failed) {
      return failed.destination() + " " + failed.reason();
    }

    private boolean isOfGroup(SimRow row) {
      FailedRow failed = row.failure;
      return isThere(world, row)
          && failed != null
          && failed.state() == state
          && group(failed).equals(group);
    }

    private void step() {
      // Without the database nothing is known, and nothing is asked for; who carries it out begins
      // anew with what is recorded.
      boolean ends = !world.database.up() || world.dice.chance(ENDS);
      if (ends) {
        run = new JobRun(this, pace, tally, List.copyOf(open.keySet()));
      }
      if (world.database.up()) {
        boolean ended = run.step(world.time.now());
        Progress progress = run.progress();
        check(progress);
        tally = progress.tally();
        if (ended) {
          world.seen.rare(
              progress.stopped() == null ? RareState.GROUP_RETRIED : RareState.GROUP_STOPPED);
          return;
        }
      }
      if (!world.healed()) {
        world.time.after(STEP, this::step);
      }
    }

    @Override
    public JobRun.Asked ask(int number) {
      int from = next;
      next = Math.min(planned.size(), from + number);
      List<Integer> numbers = new ArrayList<>();
      for (int place = from; place < next; place++) {
        SimRow row = planned.get(place);
        boolean same = isOfGroup(row) || !world.mutation.keeps(Rule.LOOKS_AGAIN_BEFORE_ASKING);
        if (same && !world.requests.isOpen(Verb.RETRY, row)) {
          checkAsked(row);
          open.put(place, world.requests.add(Verb.RETRY, row));
          numbers.add(place);
        }
      }
      return new JobRun.Asked(numbers, next - from - numbers.size(), next - from < number);
    }

    @Override
    public Map<Integer, EventOutcome> outcomes(long now) {
      Map<Integer, EventOutcome> outcomes = new TreeMap<>();
      open.forEach(
          (place, request) -> {
            AuditEntry entry = world.requests.audited(request);
            SimRow row = planned.get(place);
            EventOutcome outcome =
                entry.done() == null
                    ? null
                    : EventOutcome.of(
                        Verb.RETRY,
                        entry.requestedAt(),
                        entry.done(),
                        entry.note(),
                        row.durable && world.database.exists(row) ? view(row) : null);
            if (outcome != null) {
              outcomes.put(place, outcome);
            }
          });
      open.keySet().removeAll(outcomes.keySet());
      return outcomes;
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
          failedAt(row),
          failed == null ? null : failed.destination(),
          row.held,
          null,
          Instant.EPOCH,
          null,
          null);
    }

    private static @Nullable Instant failedAt(SimRow row) {
      return row.failure == null ? null : Instant.EPOCH.plusNanos(row.failedAt);
    }

    private static EventStatus status(SimRow row) {
      if (row.published) {
        return EventStatus.PUBLISHED;
      } else if (row.in(RowState.PARKED)) {
        return EventStatus.PARKED;
      }
      return row.in(RowState.DEAD) ? EventStatus.DEAD : EventStatus.PENDING;
    }

    private void checkGroup(SimRow row) {
      if (!isOfGroup(row)) {
        throw new Violation("only events of the group", row + " for " + group);
      }
    }

    private void checkAsked(SimRow row) {
      checkGroup(row);
      if (!asked.isEmpty() && asked.get(asked.size() - 1).id >= row.id) {
        throw new Violation(
            "in the order of rows", row + " was asked for after " + asked.get(asked.size() - 1));
      }
      asked.add(row);
    }

    private void check(Progress progress) {
      long gone =
          asked.stream().filter(row -> row.published || !world.database.exists(row)).count();
      int succeeded = progress.tally().succeeded();
      // A database that is set back has events again that were published.
      boolean sure = !world.swarm.otherServers && !world.swarm.store.crashes();
      if (sure && succeeded > gone) {
        throw new Violation("no false success", progress + ", published are " + gone);
      }
      if (succeeded == 0 && canary > 0 && asked.size() > canary) {
        throw new Violation("canary first", asked.size() + " were asked for of " + canary);
      }
      if (progress.requested() != asked.size()
          || progress.tally().skipped() + asked.size() != next) {
        throw new Violation(
            "an outcome for each event", "%s, %d asked for".formatted(progress, asked.size()));
      }
    }
  }
}

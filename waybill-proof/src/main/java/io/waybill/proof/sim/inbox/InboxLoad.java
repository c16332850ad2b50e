package io.waybill.proof.sim.inbox;

import io.waybill.proof.sim.inbox.InboxMessage.Kind;
import io.waybill.proof.sim.inbox.InboxMessage.Refused;
import io.waybill.proof.sim.inbox.InboxMessage.Statement;
import io.waybill.proof.sim.seed.Dice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the broker holds: first copies in the order of their keys, later copies anywhere behind. */
final class InboxLoad {
  // Two that there may be, and a former name.
  private static final List<String> REDRIVEN_FOR = List.of("stock", "mail", InboxMessage.FORMER);

  private static final int FOR_GOOD = 1_000;

  private final InboxWorld world;

  InboxLoad(InboxWorld world) {
    this.world = world;
  }

  void schedule() {
    Map<Integer, InboxMessage> last = new HashMap<>();
    for (int number = 0; number < world.swarm.events; number++) {
      InboxMessage message = message(number, last);
      world.add(message);
      if (message.key >= 0) {
        last.put(message.key, message);
      }
    }
    for (int lane = 0; lane < world.swarm.lanes; lane++) {
      for (InboxLane made : lanes(lane)) {
        made.start(world.swarm.load);
      }
    }
    if (world.swarm.grows) {
      long half = world.swarm.load / 2;
      world.time.at(half, () -> grow(half));
    }
  }

  /** What is put into it belongs there from the start: the order across a growth is nobody's. */
  private void grow(long load) {
    world.fault(InboxFault.PARTITION_ADDED);
    lanes(world.swarm.lanes).forEach(lane -> lane.add(load));
  }

  private List<InboxLane> lanes(int number) {
    List<InboxMessage> copies = copies(number);
    List<InboxLane> made =
        world.consumers.stream()
            .map(consumer -> new InboxLane(world, consumer, "lane-" + number, copies))
            .toList();
    world.lanes.addAll(made);
    return made;
  }

  private InboxMessage message(int number, Map<Integer, InboxMessage> last) {
    Dice dice = world.dice;
    int key = dice.chance(0.1) ? -1 : dice.skewed(world.swarm.keys);
    int lanes = world.swarm.lanes + (world.swarm.grows ? 1 : 0);
    int lane = key < 0 ? dice.upTo(lanes) : key % lanes;
    InboxMessage.Handling handling = handling(key);
    Kind kind = handling.kind();
    boolean batched = world.swarm.batches && dice.chance(0.6);
    String type = batched ? InboxMessage.BATCHED : InboxMessage.SINGLE;
    // Ignored at once, so it has no place in the order of its key.
    @Nullable InboxMessage before = key < 0 ? null : last.get(key);
    return new InboxMessage(
        number,
        handling,
        key,
        lane,
        kind == Kind.UNKNOWN_TYPE ? InboxMessage.UNKNOWN : type,
        dice.upTo(1000) < world.swarm.redriven ? dice.pick(REDRIVEN_FOR) : null,
        dice.upTo(1000) < world.swarm.bulky,
        before,
        dice.upTo(1000) < world.swarm.derived ? cause() : null);
  }

  /** Slow events without keys, on all lanes. */
  void backlog(int events) {
    for (int i = 0; i < events; i++) {
      InboxMessage message =
          new InboxMessage(
              world.messages.size(),
              new InboxMessage.Handling(Kind.SLOW, 0, InboxMessage.Statement.NONE),
              -1,
              i % world.swarm.lanes,
              InboxMessage.SINGLE,
              null,
              false,
              null,
              null);
      world.add(message);
      world.lanes.stream()
          .filter(lane -> lane.name.equals("lane-" + message.lane))
          .forEach(lane -> lane.append(message));
    }
  }

  /** One whose letter an operator may send again, and that is nobody's cause yet. */
  private @Nullable InboxMessage cause() {
    List<InboxMessage> causes =
        world.messages.stream()
            .filter(m -> m.kind == Kind.PERMANENT || m.kind == Kind.FLAKY)
            .filter(m -> m.cause == null && m.redrivenFor == null)
            .filter(m -> world.messages.stream().noneMatch(other -> other.cause == m))
            .toList();
    return causes.isEmpty() ? null : world.dice.pick(causes);
  }

  private InboxMessage.Handling handling(int key) {
    Dice dice = world.dice;
    InboxSwarm.Lasting lasting = world.swarm.lasting;
    if (lasting.keys() == 0 || world.swarm.isSpared(key)) {
      return new InboxMessage.Handling(
          kind(dice.upTo(1000)), dice.between(1, 12), statement(dice.upTo(1000)));
    }
    int roll = dice.upTo(1000);
    if (roll < lasting.letters()) {
      Kind kind = dice.chance(0.2) ? Kind.UNDECODABLE : Kind.PERMANENT;
      return new InboxMessage.Handling(kind, FOR_GOOD, Statement.NONE, Refused.LETTER);
    }
    if (roll < lasting.letters() + lasting.values()) {
      return new InboxMessage.Handling(Kind.FINE, 0, Statement.NONE, Refused.VALUES);
    }
    return new InboxMessage.Handling(
        roll < lasting.letters() + lasting.values() + lasting.hanging() ? Kind.HANGING : Kind.FINE,
        dice.between(1, 12),
        Statement.NONE);
  }

  private Statement statement(int roll) {
    InboxSwarm.Statements statements = world.swarm.statements;
    if (roll < statements.commits()) {
      return Statement.COMMIT;
    }
    return roll < statements.commits() + statements.rollbacks()
        ? Statement.ROLLBACK
        : Statement.NONE;
  }

  private Kind kind(int roll) {
    InboxSwarm.Poison poison = world.swarm.poison;
    int[] shares = {
      poison.flaky(),
      poison.permanent(),
      poison.endless(),
      poison.killer(),
      poison.hanging(),
      poison.unknown(),
      poison.undecodable()
    };
    Kind[] kinds = {
      Kind.FLAKY,
      Kind.PERMANENT,
      Kind.ENDLESS,
      Kind.KILLER,
      Kind.HANGING,
      Kind.UNKNOWN_TYPE,
      Kind.UNDECODABLE
    };
    int sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += shares[i];
      if (roll < sum) {
        return kinds[i];
      }
    }
    return Kind.FINE;
  }

  private List<InboxMessage> copies(int lane) {
    List<InboxMessage> log =
        new ArrayList<>(world.messages.stream().filter(m -> m.lane == lane).toList());
    for (InboxMessage message : List.copyOf(log)) {
      for (int i = world.dice.between(1, 4); i > 0; i--) {
        int first = log.indexOf(message);
        log.add(world.dice.between(first + 1, log.size()), message);
      }
    }
    return log;
  }
}

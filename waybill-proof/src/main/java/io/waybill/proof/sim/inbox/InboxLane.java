package io.waybill.proof.sim.inbox;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.InboxInput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lane as one consumer group sees it: a partition with a committed offset, or a queue whose
 * messages are acknowledged one by one and which one member reads at a time.
 */
final class InboxLane {
  private static final int MOST_AT_ONCE = 8;
  private static final int MOST_WAITING = 4;

  final InboxWorld world;
  final String consumer;
  final String name;
  private final InboxLog log;
  private final BitSet acknowledged = new BitSet();
  private int committed;
  private int delivered;
  private @Nullable InboxAssignment owner;

  InboxLane(InboxWorld world, String consumer, String name, List<InboxMessage> log) {
    this.world = world;
    this.consumer = consumer;
    this.name = name;
    this.log = new InboxLog(world, consumer, log);
  }

  /** A message that comes behind all that there are. */
  void append(InboxMessage message) {
    log.append(message);
  }

  @Nullable InboxAssignment owner() {
    return owner;
  }

  /** Publishes its messages over the time of the load, and delivers for ever. */
  void start(long load) {
    log.publishAll(load);
    assign();
    pump();
  }

  /** A partition that is added while others are read: members hear of it later than producers. */
  void add(long load) {
    log.publishAll(load);
    world.time.after(
        world.dice.millis(0, 200),
        () -> {
          if (log.visible() > 0) {
            world.rare(InboxRare.ADDED_LANE_HAD_MESSAGES);
          }
          committed = world.mutation.beginsAdded(log.visible());
          assign();
          pump();
        });
  }

  /** The broker has lost the end, and the messages are published again. */
  void loseEnd() {
    int left = world.dice.between(0, log.visible());
    world.fault(InboxFault.LOG_LOST_ITS_END);
    if (left < committed) {
      world.rare(InboxRare.POSITION_ABOVE_THE_END);
    }
    log.loseEnd(left);
    goOnAt(Math.min(committed, left));
  }

  /**
   * The topic is deleted and made anew: what it had is published again, each once, and the rest.
   */
  void replace() {
    world.fault(InboxFault.TOPIC_MADE_ANEW);
    log.replace();
    goOnAt(world.mutation.beginsAnew(Math.min(committed, log.size())));
  }

  /** The broker has forgotten the position. */
  void forgetPosition() {
    if (owner == null) {
      world.fault(InboxFault.POSITION_EXPIRED);
      goOnAt(0);
    }
  }

  /** A copy of its first message comes behind all that there are. */
  void copyFirst() {
    if (log.size() > 0) {
      log.append(log.get(0));
    }
  }

  /** The member reads it again, unless it is about to leave. */
  void seekBack(InboxAssignment by, int position) {
    if (by.active && by.revocation == 0 && by.delivering) {
      committed = position;
      end(by);
      if (world.mutation.forgetsLanes()) {
        by.unheard = true;
        tellOfLoss(by);
      } else {
        by.process.history.revoked(name);
      }
      assign(by.process);
    }
  }

  /** What is out is nobody's any more; what comes now may have come before. */
  private void goOnAt(int position) {
    committed = position;
    acknowledged.clear(position, Math.max(position, acknowledged.length()));
    delivered = Math.max(delivered, log.visible());
    InboxAssignment old = owner;
    if (old != null) {
      if (old.process.isHandling(name)) {
        world.rare(InboxRare.HISTORY_CHANGED_WHILE_RUNNING);
      }
      end(old);
      old.unheard = true;
      tellOfLoss(old);
      assign();
    }
  }

  private void pump() {
    InboxAssignment current = owner;
    if (current != null) {
      deliver(current);
    }
    world.time.after(world.dice.micros(200, 3_000), this::pump);
  }

  /** Gives the lane to a member; tries again while there is none. */
  void assign() {
    if (owner != null) {
      return;
    }
    InboxProcess process = world.anyMember(consumer);
    if (process == null) {
      world.time.after(10 * MS, this::assign);
      return;
    }
    assign(process);
  }

  private void assign(InboxProcess process) {
    InboxAssignment assignment = new InboxAssignment(this, process);
    assignment.began = committed;
    assignment.next = committed;
    assignment.againBelow = delivered;
    owner = assignment;
    process.assignments.add(assignment);
    world.trace.line(() -> consumer + " " + name + " belongs to " + process.name);
  }

  private void deliver(InboxAssignment to) {
    boolean held = to.held && world.mutation.heedsHolds();
    if (!to.delivering || held || to.process.frozen()) {
      return;
    }
    List<Delivery> deliveries = new ArrayList<>();
    int most = world.dice.between(1, MOST_AT_ONCE);
    for (int i = next(to, 0); i >= 0 && deliveries.size() < most; i = next(to, i + 1)) {
      deliveries.add(delivery(to, i));
      to.out.set(i);
      to.next = i + 1;
      delivered = Math.max(delivered, i + 1);
    }
    if (!deliveries.isEmpty()) {
      to.process.delivered(deliveries);
    }
  }

  /** The next position to deliver, -1 for none. */
  private int next(InboxAssignment to, int from) {
    if (world.swarm.kafka) {
      // The subscriber bounds what is out; the engine has no part in it before it has the lane.
      boolean full = to.process.history.isWaiting() && to.next - to.reach().done() >= MOST_WAITING;
      return to.next < log.visible() && !full ? to.next : -1;
    }
    if (to.out.cardinality() >= world.swarm.prefetch) {
      return -1;
    }
    for (int i = from; i < log.visible(); i++) {
      if (!acknowledged.get(i) && !to.out.get(i)) {
        return i;
      }
    }
    return -1;
  }

  private Delivery delivery(InboxAssignment to, int position) {
    InboxMessage message = log.get(position);
    return new Delivery(
        InboxMessage.SOURCE,
        name,
        position,
        message.keyBytes(),
        new byte[] {1},
        message.headers,
        0,
        position < to.againBelow,
        0,
        to);
  }

  /** The member's subscriber was told; the broker is, a little later. */
  void acknowledge(InboxAssignment by, int position) {
    if (!by.active) {
      world.rare(InboxRare.ACKNOWLEDGED_AFTER_LOSS);
      if (!world.mutation.ignoresLateAcknowledgements()) {
        committed = Math.max(committed, Math.min(position + 1, log.size()));
        acknowledged.set(position);
      }
      return;
    }
    by.done.set(position);
    world.time.after(world.dice.micros(100, 15_000), () -> flush(by));
  }

  void release(InboxAssignment by, int position) {
    if (by.active) {
      world.rare(InboxRare.GIVEN_BACK);
      by.out.clear(position);
      by.next = Math.min(by.next, position);
    }
  }

  private void flush(InboxAssignment by) {
    if (!by.active || by.process.dead()) {
      return;
    }
    if (!world.swarm.kafka) {
      acknowledged.or(by.done);
      by.out.andNot(by.done);
    } else if (world.mutation.commitsContiguously()) {
      committed = Math.max(committed, by.done.nextClearBit(committed));
    } else {
      committed = Math.max(committed, by.done.length());
    }
  }

  /** Moves the lane with notice: running handlers may end, within a bound. */
  void revoke() {
    InboxAssignment old = owner;
    if (old == null || old.revocation != 0 || !old.delivering) {
      return;
    }
    world.fault(InboxFault.LANE_REVOKED);
    old.delivering = false;
    long number = world.nextRevocation();
    old.revocation = number;
    old.process.history.revoked(name);
    old.process.post(new InboxInput.Revoked(number, Set.of(name), false));
    world.time.after(InboxSwarm.revocationBound(), () -> leave(old, number, false));
  }

  /** The member has let go of the lane, or its time is up. */
  void leave(InboxAssignment old, long number, boolean quiet) {
    if (old.revocation == number && old == owner) {
      world.rare(quiet ? InboxRare.LANE_LEFT_QUIETLY : InboxRare.LANE_LEFT_LATE);
      flush(old);
      end(old);
      world.time.after(world.dice.millis(0, 20), this::assign);
    }
  }

  /** Takes the lane away; the member hears of it later, if ever. */
  void lose() {
    InboxAssignment old = owner;
    if (old == null) {
      return;
    }
    world.fault(InboxFault.LANE_LOST);
    if (old.process.isHandling(name)) {
      world.rare(InboxRare.LANE_LOST_WHILE_RUNNING);
    }
    end(old);
    old.unheard = true;
    world.time.after(world.dice.millis(0, 100), () -> tellOfLoss(old));
    assign();
  }

  /** A member hears of a loss at the latest when the lane is its own again. */
  void tellOfLoss(InboxAssignment lost) {
    if (lost.unheard) {
      lost.unheard = false;
      lost.process.history.revoked(name);
      lost.process.post(new InboxInput.Revoked(world.nextRevocation(), Set.of(name), true));
    }
  }

  boolean hasUnflushed(InboxAssignment by) {
    return by.active
        && by.done.length() > (world.swarm.kafka ? committed : 0)
        && !by.done.isEmpty();
  }

  /** The member has left or died. */
  void left(InboxAssignment old, boolean graceful) {
    if (graceful) {
      flush(old);
    }
    if (old == owner) {
      end(old);
      world.time.after(world.dice.millis(1, 80), this::assign);
    }
  }

  private void end(InboxAssignment old) {
    old.process.overtaken(name);
    old.active = false;
    old.delivering = false;
    owner = null;
  }

  /** What is left to do, or nothing. */
  String busy() {
    if (log.visible() < log.size()) {
      return name + " is being published";
    }
    int open = world.swarm.kafka ? committed : acknowledged.nextClearBit(0);
    return open < log.size()
        ? consumer + " has not acknowledged " + open + " of " + name + ": " + log.get(open)
        : "";
  }
}

package io.waybill.proof.sim.inbox;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.internal.inbox.InboxEffect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lanes that a process has had since it began, and what it says to their broker. */
final class InboxAssignments {
  private final InboxProcess process;
  private final InboxWorld world;
  private final List<InboxAssignment> all = new ArrayList<>();

  InboxAssignments(InboxProcess process) {
    this.process = process;
    this.world = process.world;
  }

  void add(InboxAssignment assignment) {
    for (InboxAssignment old : all) {
      if (old.lane == assignment.lane) {
        old.lane.tellOfLoss(old);
      }
    }
    all.removeIf(old -> !old.active && !old.unheard);
    all.add(assignment);
  }

  /** Whether the lane of a delivery is still the process's that has it. */
  static boolean owns(Delivery delivery) {
    return of(delivery).active;
  }

  private static InboxAssignment of(Delivery delivery) {
    return (InboxAssignment) delivery.token();
  }

  void acknowledge(Delivery delivery) {
    String number = String.valueOf(delivery.headers().get("number"));
    InboxAssignment assignment = of(delivery);
    if (process.history.counts(assignment)) {
      world.ledger.acknowledged(process.consumer, world.messages.get(Integer.parseInt(number)));
    }
    assignment.lane.acknowledge(assignment, (int) delivery.position());
  }

  static void release(Delivery delivery) {
    InboxAssignment assignment = of(delivery);
    assignment.lane.release(assignment, (int) delivery.position());
  }

  void pause(InboxEffect.Pause pause) {
    for (InboxAssignment assignment : all) {
      if (assignment.active && assignment.lane.name.equals(pause.lane())) {
        assignment.held = pause.paused();
        world.rare(InboxRare.HELD);
      }
    }
  }

  /** Nothing of the lanes of a revocation is being handled any more. */
  void quiet(long number) {
    for (InboxAssignment assignment : List.copyOf(all)) {
      if (assignment.revocation == number) {
        assignment.lane.leave(assignment, number, true);
      }
    }
  }

  void stopDelivering() {
    all.forEach(assignment -> assignment.delivering = false);
  }

  /** The process has left or died. */
  void left(boolean graceful) {
    all.forEach(assignment -> assignment.lane.left(assignment, graceful));
  }

  boolean hasUnflushed() {
    return all.stream().anyMatch(assignment -> assignment.lane.hasUnflushed(assignment));
  }

  /** Most of the lanes go to others while the process is frozen. */
  void loseMost() {
    for (InboxAssignment assignment : List.copyOf(all)) {
      if (assignment.active && world.dice.chance(0.7)) {
        assignment.lane.lose();
      }
    }
  }

  /** How far the lanes are, as the process knows. */
  Map<String, Reach> reach() {
    Map<String, Reach> reach = new HashMap<>();
    for (InboxAssignment assignment : all) {
      if (assignment.active || assignment.unheard) {
        reach.put(assignment.lane.name, assignment.reach());
      }
    }
    return reach;
  }

  void seekBack(String lane, long position) {
    for (InboxAssignment assignment : List.copyOf(all)) {
      if (assignment.lane.name.equals(lane)) {
        assignment.lane.seekBack(assignment, (int) position);
      }
    }
  }
}

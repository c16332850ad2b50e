package io.waybill.testkit.sim;

import io.waybill.broker.Confirmation;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One send per key at a time; answers are returns, acks and nacks, and channels die. A destination
 * that closed the channel of all has one of its own until it takes something.
 */
final class RabbitPublisher extends SimPublisher {
  private final Map<Long, SimSend> outstanding = new LinkedHashMap<>();
  private final Set<String> suspects = new HashSet<>();

  RabbitPublisher(World world, SimRelay relay) {
    super(world, relay);
  }

  @Override
  void send(SimSend send) {
    outstanding.put(send.message.sendId(), send);
    world.time.after(world.dice.micros(100, 3_000), () -> arrive(send));
    world.time.after(
        deliveryTimeout(),
        () -> {
          if (!send.reported && !dead) {
            send.killed |= world.dice.chance(0.5);
            settle(send, lost(send, "confirm-timeout"));
          }
        });
  }

  private void settle(SimSend send, Confirmation confirmation) {
    outstanding.remove(send.message.sendId());
    report(send, confirmation);
  }

  private void arrive(SimSend send) {
    if (send.killed || send.stored || waitsForThaw(() -> arrive(send))) {
      return;
    }
    if (world.broker.health(send.destination()) == SimBroker.Health.SILENT) {
      world.time.after(world.dice.millis(20, 200), () -> arrive(send));
      return;
    }
    if (!send.reported && rejects(send)) {
      reject(send);
      return;
    }
    Refusal why = send.reported ? null : refusal(send);
    if (why != null) {
      refuse(send, why);
    } else if (loses(send)) {
      send.killed = true;
    } else if (happens(world.broker.faults().late(), Fault.SEND_LATE)) {
      world.time.after(world.dice.millis(500, 5_000), () -> arrive(send));
    } else {
      store(send);
      if (send.reported
          && !world.mutation.keeps(Rule.CONFIRMS_BY_MESSAGE)
          && !outstanding.isEmpty()) {
        SimSend other = outstanding.values().iterator().next();
        settle(other, new Confirmation.Confirmed(other.message.sendId()));
      }
      if (!losesConfirmation()) {
        world.time.after(world.dice.micros(100, 5_000), () -> acknowledge(send));
      }
    }
  }

  private void acknowledge(SimSend send) {
    if (!send.reported && !waitsForThaw(() -> acknowledge(send))) {
      if (send.returned) {
        world.seen.rare(RareState.RETURNED_THEN_ACKED);
      }
      if (!send.returned) {
        suspects.remove(send.destination());
      }
      settle(
          send,
          send.returned && world.mutation.keeps(Rule.HEEDS_RETURNS)
              ? unroutable(send)
              : new Confirmation.Confirmed(send.message.sendId()));
    }
  }

  /** The outcome when no acknowledgement comes: a return alone is definite. */
  private Confirmation lost(SimSend send, String reason) {
    if (send.returned) {
      world.seen.rare(RareState.RETURNED_THEN_LOST);
      return unroutable(send);
    }
    return unknown(send, reason);
  }

  private Confirmation unroutable(SimSend send) {
    return refused(send, Refusal.UNROUTABLE, false);
  }

  /** The message closes its channel, or the client does not take it. */
  private void reject(SimSend send) {
    send.killed = true;
    settle(send, new Confirmation.Rejected(send.message.sendId(), "refused", "simulated"));
    if (send.row.poison && world.dice.chance(0.5)) {
      close("channel-closed");
    }
  }

  private void refuse(SimSend send, Refusal why) {
    if (why == Refusal.NACK && world.dice.chance(0.5)) {
      world.seen.rare(RareState.REFUSED_WITH_A_COPY);
      store(send);
    } else {
      send.killed = true;
    }
    if (why == Refusal.UNROUTABLE) {
      world.time.after(world.dice.micros(100, 2_000), () -> returned(send));
      return;
    }
    // A nack does not tell what other queues have.
    settle(send, refused(send, why, !why.closesChannel()));
    if (why.closesChannel()) {
      if (suspects.add(send.destination())) {
        close("channel-closed");
      } else {
        world.seen.rare(RareState.SUSPECT_REFUSED);
      }
    }
  }

  /** The return comes first, then the acknowledgement. */
  private void returned(SimSend send) {
    if (!send.reported && !waitsForThaw(() -> returned(send))) {
      send.returned = true;
      if (world.closesAfterReturn()) {
        world.seen.fault(Fault.CONNECTION_LOST);
        close("connection-reset");
      } else {
        world.time.after(world.dice.micros(10, 1_000), () -> acknowledge(send));
      }
    }
  }

  @Override
  void close(String reason) {
    for (SimSend send : List.copyOf(outstanding.values())) {
      world.seen.rare(RareState.INNOCENTS_UNKNOWN);
      send.killed |= !send.stored && world.dice.chance(0.5);
      settle(send, lost(send, reason));
    }
  }

  @Override
  void die() {
    dead = true;
    for (SimSend send : outstanding.values()) {
      send.killed |= world.dice.chance(0.5);
    }
  }
}

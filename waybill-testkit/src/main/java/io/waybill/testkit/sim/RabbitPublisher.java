package io.waybill.testkit.sim;

import io.waybill.broker.Confirmation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One send per key at a time; answers are returns, acks and nacks, and channels die. */
final class RabbitPublisher extends SimPublisher {
  private final Map<Long, SimSend> outstanding = new LinkedHashMap<>();

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
    SimBroker.Health health = world.broker.health(send.destination());
    if (health == SimBroker.Health.SILENT) {
      world.time.after(world.dice.millis(20, 200), () -> arrive(send));
    } else if (!send.reported && refuses(send, health)) {
      refuse(send);
    } else if (loses(send)) {
      send.killed = true;
    } else if (happens(world.broker.faults().late(), Fault.SEND_LATE)) {
      world.time.after(world.dice.millis(500, 5_000), () -> arrive(send));
    } else {
      store(send);
      if (send.reported && !world.mutation.confirmsByMessage() && !outstanding.isEmpty()) {
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
      settle(
          send,
          send.returned && world.mutation.heedsReturns()
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

  private static Confirmation unroutable(SimSend send) {
    return new Confirmation.Rejected(send.message.sendId(), "unroutable", "simulated");
  }

  private void refuse(SimSend send) {
    send.killed = true;
    long id = send.message.sendId();
    int way = world.dice.upTo(send.row.poison ? 3 : 2);
    if (way == 0) {
      world.time.after(world.dice.micros(100, 2_000), () -> returned(send));
    } else if (way == 1) {
      settle(send, new Confirmation.Rejected(id, "nacked", "simulated"));
    } else {
      settle(send, new Confirmation.Rejected(id, "channel-closed", "simulated"));
      close("channel-closed");
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

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
            settle(send, unknown(send, "confirm-timeout"));
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
    } else if (world.dice.chance(world.broker.faults().late())) {
      world.time.after(world.dice.millis(500, 5_000), () -> arrive(send));
    } else {
      store(send);
      if (world.dice.chance(world.broker.faults().confirmLost())) {
        world.seen.rare.reached(RareState.CONFIRM_LOST);
      } else {
        world.time.after(world.dice.micros(100, 5_000), () -> acknowledge(send));
      }
    }
  }

  private void acknowledge(SimSend send) {
    if (!send.reported && !waitsForThaw(() -> acknowledge(send))) {
      settle(send, new Confirmation.Confirmed(send.message.sendId()));
    }
  }

  private void refuse(SimSend send) {
    send.killed = true;
    long id = send.message.sendId();
    int way = send.row.poison ? 2 : world.dice.upTo(2);
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
    if (send.reported) {
      return;
    }
    world.seen.rare.reached(RareState.RETURNED_THEN_ACKED);
    long id = send.message.sendId();
    settle(
        send,
        world.mutation.heedsReturns()
            ? new Confirmation.Rejected(id, "unroutable", "simulated")
            : new Confirmation.Confirmed(id));
  }

  @Override
  void close(String reason) {
    for (SimSend send : List.copyOf(outstanding.values())) {
      world.seen.rare.reached(RareState.INNOCENTS_UNKNOWN);
      send.killed |= !send.stored && world.dice.chance(0.5);
      settle(send, unknown(send, reason));
    }
  }

  @Override
  void die() {
    dead = true;
    for (SimSend send : outstanding.values()) {
      send.killed |= world.dice.chance(0.5);
    }
    thaw();
  }
}

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
    } else if (!send.reported && rejects(send)) {
      reject(send);
    } else if (!send.reported && refuses(health)) {
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
    return new Confirmation.Refused(send.message.sendId(), "unroutable", "simulated", false);
  }

  /** The message closes its channel, or the client does not take it. */
  private void reject(SimSend send) {
    send.killed = true;
    settle(send, new Confirmation.Rejected(send.message.sendId(), "refused", "simulated"));
    if (send.row.poison && world.dice.chance(0.5)) {
      close("channel-closed");
    }
  }

  /** Nothing is bound, a queue is full, or the exchange is missing. */
  private void refuse(SimSend send) {
    long id = send.message.sendId();
    int way = world.dice.upTo(3);
    if (way == 0) {
      send.killed = true;
      world.time.after(world.dice.micros(100, 2_000), () -> returned(send));
    } else if (way == 1) {
      if (world.dice.chance(0.5)) {
        world.seen.rare(RareState.REFUSED_WITH_A_COPY);
        store(send);
      } else {
        send.killed = true;
      }
      settle(send, new Confirmation.Refused(id, "nacked", "simulated", true));
    } else {
      send.killed = true;
      settle(send, new Confirmation.Refused(id, "exchange-missing", "simulated", false));
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

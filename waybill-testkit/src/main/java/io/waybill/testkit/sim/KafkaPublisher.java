package io.waybill.testkit.sim;

import static io.waybill.testkit.sim.Dice.MS;

import io.waybill.broker.Confirmation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pipelines sends: each partition appends and confirms in order. At the first failure the
 * connection's generation dies: of what is outstanding, each partition still appends a prefix.
 */
final class KafkaPublisher extends SimPublisher {
  private static final int PARTITIONS = 2;

  /** One partition as one generation of the publisher sees it. */
  private static final class Partition {
    final ArrayDeque<SimSend> toAppend = new ArrayDeque<>();
    final ArrayDeque<SimSend> toConfirm = new ArrayDeque<>();
    boolean appending;
    boolean confirming;
    boolean appendsStalled;
    boolean confirmsStalled;
  }

  // Keys with a failure reported since the last flush: nothing of theirs goes out.
  private final Set<String> held = new HashSet<>();
  private Map<String, Partition> partitions = new LinkedHashMap<>();

  KafkaPublisher(World world, SimRelay relay) {
    super(world, relay);
  }

  private static String nameOf(SimSend send) {
    byte[] key = send.message.key();
    int hash = key == null ? send.message.eventId().hashCode() : Arrays.hashCode(key);
    return send.destination() + "#" + Math.floorMod(hash, PARTITIONS);
  }

  @Override
  void flush() {
    held.clear();
  }

  private static String keyOf(SimSend send) {
    return send.destination() + "/" + send.row.key;
  }

  private void reportFailure(SimSend send, Confirmation confirmation) {
    held.add(keyOf(send));
    report(send, confirmation);
  }

  @Override
  void send(SimSend send) {
    if (send.row.key != null && held.contains(keyOf(send))) {
      send.killed = true;
      reportFailure(send, unknown(send, "behind-failed-send"));
      return;
    }
    Partition partition = partitions.computeIfAbsent(nameOf(send), name -> new Partition());
    partition.toAppend.add(send);
    work(partition);
    world.time.after(
        deliveryTimeout(),
        () -> {
          if (!send.reported && !dead) {
            fail(send, unknown(send, "delivery-timeout"));
          }
        });
  }

  // ---------------------------------------------------------------- appending

  private void work(Partition partition) {
    if (!partition.appending && !partition.toAppend.isEmpty()) {
      partition.appending = true;
      world.time.after(world.dice.micros(100, 2_000), () -> append(partition));
    }
  }

  private void append(Partition partition) {
    if (waitsForThaw(() -> append(partition))) {
      return;
    }
    partition.appending = false;
    while (!partition.toAppend.isEmpty() && partition.toAppend.element().killed) {
      partition.toAppend.poll();
    }
    SimSend send = partition.toAppend.peek();
    if (send == null || partition.appendsStalled) {
      return;
    }
    SimBroker.Health health = world.broker.health(send.destination());
    if (health == SimBroker.Health.SILENT) {
      partition.appending = true;
      world.time.after(world.dice.millis(20, 80), () -> append(partition));
      return;
    }
    decide(partition, send, health);
    work(partition);
  }

  private void decide(Partition partition, SimSend send, SimBroker.Health health) {
    if (!send.reported && refuses(send, health)) {
      partition.toAppend.poll();
      fail(send, new Confirmation.Rejected(send.message.sendId(), "refused", "simulated"));
    } else if (loses(send)) {
      partition.appendsStalled = true;
    } else {
      partition.toAppend.poll();
      store(send);
      if (world.dice.chance(world.broker.faults().confirmLost())) {
        world.seen.rare.reached(RareState.CONFIRM_LOST);
        partition.confirmsStalled = true;
      }
      if (!send.reported) {
        partition.toConfirm.add(send);
        confirmNext(partition);
      }
    }
  }

  private void confirmNext(Partition partition) {
    if (!partition.confirming && !partition.confirmsStalled && !partition.toConfirm.isEmpty()) {
      partition.confirming = true;
      world.time.after(world.dice.micros(100, 3_000), () -> confirm(partition));
    }
  }

  private void confirm(Partition partition) {
    if (waitsForThaw(() -> confirm(partition))) {
      return;
    }
    partition.confirming = false;
    while (!partition.toConfirm.isEmpty() && partition.toConfirm.element().reported) {
      partition.toConfirm.poll();
    }
    SimSend send = partition.toConfirm.poll();
    if (send != null) {
      report(send, new Confirmation.Confirmed(send.message.sendId()));
      confirmNext(partition);
    }
  }

  // ---------------------------------------------------------------- failing

  private void fail(SimSend guilty, Confirmation confirmation) {
    boolean mayLand =
        confirmation instanceof Confirmation.Unknown
            && world.dice.chance(world.broker.faults().late() > 0 ? 0.5 : 0.1);
    Map<String, Partition> old = partitions;
    partitions = new LinkedHashMap<>();
    Partition own = old.get(nameOf(guilty));
    if (own != null && !mayLand) {
      kill(own);
    }
    reportFailure(guilty, confirmation);
    for (Partition partition : old.values()) {
      giveUp(partition, "publisher-restarted");
    }
  }

  private static void kill(Partition partition) {
    partition.toAppend.forEach(send -> send.killed = true);
  }

  /** Everything outstanding is unknown; a prefix of what is not yet appended is, late. */
  private void giveUp(Partition partition, String reason) {
    abandon(partition);
    List<SimSend> outstanding = new ArrayList<>(partition.toConfirm);
    outstanding.addAll(partition.toAppend);
    for (SimSend send : outstanding) {
      if (!send.reported) {
        world.seen.rare.reached(RareState.INNOCENTS_UNKNOWN);
        reportFailure(send, unknown(send, reason));
      }
    }
  }

  private void abandon(Partition partition) {
    int landing = partition.toAppend.isEmpty() ? 0 : world.dice.upTo(partition.toAppend.size() + 1);
    int position = 0;
    for (SimSend send : partition.toAppend) {
      send.killed |= position++ >= landing;
    }
    partition.confirmsStalled = true;
    if (landing > 0 && !partition.appendsStalled) {
      partition.appending = true;
      long delay = world.dice.chance(0.3) ? world.dice.millis(0, 5_000) : 5 * MS;
      world.time.after(delay, () -> append(partition));
    }
  }

  @Override
  void close(String reason) {
    Map<String, Partition> old = partitions;
    partitions = new LinkedHashMap<>();
    old.values().forEach(partition -> giveUp(partition, reason));
  }

  @Override
  void die() {
    dead = true;
    partitions.values().forEach(this::abandon);
    thaw();
  }
}

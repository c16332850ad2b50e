package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Confirmation;
import io.waybill.message.EventKey;
import io.waybill.message.RecordTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pipelines sends: each partition appends and confirms in order. At the first failure the client's
 * generation dies: of what is outstanding, each partition still appends a prefix. A generation has
 * to look up a topic before it can send to it; meanwhile messages wait, and are refused in the end.
 * So they are where the client's buffer is full. Topics whose sends failed share a second client
 * until one of theirs is confirmed.
 */
final class KafkaPublisher extends SimPublisher {
  private static final int PARTITIONS = 2;

  /** Messages that a client has room for. */
  private static final int BUFFER = 30;

  /** Topics keep records for that long, by the time that they carry. */
  private static final long RETENTION = 2_000 * MS;

  /** One of the two clients: what its present generation has under way and knows. */
  static final class Client {
    Map<String, Partition> partitions = new LinkedHashMap<>();
    Set<String> known = new HashSet<>();

    boolean isFull() {
      int open = 0;
      for (Partition partition : partitions.values()) {
        open += partition.toAppend.size() + partition.toConfirm.size();
      }
      return open >= BUFFER;
    }

    boolean hasOpen(String topic) {
      return partitions.entrySet().stream()
          .anyMatch(each -> each.getKey().startsWith(topic + "#") && each.getValue().hasOpen());
    }
  }

  /** One partition as one generation of the publisher sees it. */
  private static final class Partition {
    final Client client;
    final ArrayDeque<SimSend> toAppend = new ArrayDeque<>();
    final ArrayDeque<SimSend> toConfirm = new ArrayDeque<>();
    boolean appending;
    boolean confirming;
    boolean appendsStalled;
    boolean confirmsStalled;

    Partition(Client client) {
      this.client = client;
    }

    private Stream<SimSend> open() {
      return Stream.concat(toConfirm.stream(), toAppend.stream()).filter(send -> !send.reported);
    }

    boolean hasOpen() {
      return open().findAny().isPresent();
    }

    boolean hasOpen(@Nullable EventKey key) {
      return open().anyMatch(send -> Objects.equals(send.row.key, key));
    }
  }

  // Keys with a failure reported since the last flush: nothing of theirs goes out.
  private final Set<String> held = new HashSet<>();
  private final Client main = new Client();
  private final Client second = new Client();
  private final Set<String> suspects = new HashSet<>();
  private final KafkaLookups lookups = new KafkaLookups(this);

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

  /** How many keys have a failure that was reported since the last flush. */
  int failures() {
    return held.size();
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
    if (isHeld(send)) {
      world.seen.rare(RareState.SEND_BEHIND_FAILURE);
      refuse(send, unknown(send, "behind-failed-send"));
      return;
    }
    if (lookups.hasLine(send.destination()) || !isReady(send.destination())) {
      lookups.add(send);
    } else {
      handOver(send);
    }
  }

  Client client(String topic) {
    return suspects.contains(topic) ? second : main;
  }

  boolean isReady(String topic) {
    Client client = client(topic);
    return client.known.contains(topic) && !client.isFull();
  }

  boolean isHeld(SimSend send) {
    return send.row.key != null
        && held.contains(keyOf(send))
        && world.mutation.keeps(Rule.HOLDS_KEYS_OF_FAILURES);
  }

  /** It was not handed to the client, and never will be. */
  void refuse(SimSend send, Confirmation confirmation) {
    send.killed = true;
    reportFailure(send, confirmation);
  }

  void handOver(SimSend send) {
    if (send.row.poison && !send.deadLetter && world.dice.chance(0.5)) {
      refuseAtOnce(send);
      return;
    }
    Client client = client(send.destination());
    Partition partition =
        client.partitions.computeIfAbsent(nameOf(send), name -> new Partition(client));
    partition.toAppend.add(send);
    work(partition);
    world.time.after(
        deliveryTimeout(),
        () -> {
          if (!send.reported && !dead) {
            fail(client, send, unknown(send, "delivery-timeout"));
          }
        });
  }

  /** The client itself refuses, and its generation lives on. */
  private void refuseAtOnce(SimSend send) {
    Partition partition = client(send.destination()).partitions.get(nameOf(send));
    if (partition != null && partition.hasOpen(send.row.key)) {
      world.seen.rare(RareState.REFUSED_WITH_PREDECESSORS_IN_FLIGHT);
    }
    refuse(send, new Confirmation.Rejected(send.message.sendId(), "too-large", "simulated"));
  }

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
    if (world.broker.health(send.destination()) == SimBroker.Health.SILENT) {
      partition.appending = true;
      world.time.after(world.dice.millis(20, 80), () -> append(partition));
      return;
    }
    decide(partition, send);
    work(partition);
  }

  private void decide(Partition partition, SimSend send) {
    if (!send.reported && rejects(send)) {
      partition.toAppend.poll();
      fail(
          partition.client,
          send,
          new Confirmation.Rejected(send.message.sendId(), "refused", "simulated"));
      return;
    }
    Refusal why = send.reported ? null : refusal(send);
    if (why != null) {
      // What the client has of the partition goes with it, in order.
      kill(partition);
      partition.toAppend.poll();
      // To a client that knew the topic it seems to be away for a moment.
      boolean isOpen = why == Refusal.TOPIC_MISSING;
      fail(partition.client, send, isOpen ? unknown(send, why.reason) : refused(send, why, false));
    } else if (loses(send)) {
      partition.appendsStalled = true;
    } else {
      partition.toAppend.poll();
      store(send);
      partition.confirmsStalled |= losesConfirmation();
      if (!send.reported) {
        partition.toConfirm.add(send);
        confirmNext(partition);
      }
    }
  }

  @Override
  boolean isOver(SimSend send) {
    return send.message.destination().timestamp() == RecordTime.CREATED
        && world.time.now() - send.message.timestampMillis() * MS > RETENTION;
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
      if (partition.client == second && !second.hasOpen(send.destination())) {
        suspects.remove(send.destination());
      }
      confirmNext(partition);
    }
  }

  private void fail(Client client, SimSend cause, Confirmation confirmation) {
    boolean mayLand =
        confirmation instanceof Confirmation.NotConfirmed failed
            && failed.copyPossible()
            && world.dice.chance(world.broker.faults().late() > 0 ? 0.5 : 0.1);
    if (client == second) {
      world.seen.rare(RareState.SUSPECT_REFUSED);
    }
    suspects.add(cause.destination());
    Map<String, Partition> old = endGeneration(client);
    Partition own = old.get(nameOf(cause));
    if (own != null && !mayLand) {
      kill(own);
    }
    reportFailure(cause, confirmation);
    for (Partition partition : old.values()) {
      giveUp(partition, "publisher-restarted");
    }
    lookups.refuseHeld();
  }

  private static Map<String, Partition> endGeneration(Client client) {
    Map<String, Partition> old = client.partitions;
    client.partitions = new LinkedHashMap<>();
    client.known = new HashSet<>();
    return old;
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
        world.seen.rare(RareState.INNOCENTS_UNKNOWN);
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
      world.seen.fault(Fault.SEND_LATE);
      partition.appending = true;
      long delay = world.dice.chance(0.3) ? world.dice.millis(0, 5_000) : 5 * MS;
      world.time.after(delay, () -> append(partition));
    }
  }

  @Override
  void close(String reason) {
    for (Client client : List.of(main, second)) {
      endGeneration(client).values().forEach(partition -> giveUp(partition, reason));
    }
    lookups.refuseHeld();
  }

  @Override
  void die() {
    dead = true;
    main.partitions.values().forEach(this::abandon);
    second.partitions.values().forEach(this::abandon);
    lookups.die();
  }
}

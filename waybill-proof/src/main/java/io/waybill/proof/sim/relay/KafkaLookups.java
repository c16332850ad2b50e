package io.waybill.proof.sim.relay;

import static io.waybill.proof.sim.seed.Dice.MS;

import io.waybill.broker.Confirmation;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Messages whose topic is to be looked up, or that find no room in the client, by topic. */
final class KafkaLookups {
  private static final long LOOKUP_LIMIT = 400 * MS;

  private final World world;
  private final KafkaPublisher publisher;
  private final Map<String, ArrayDeque<SimSend>> lines = new LinkedHashMap<>();

  KafkaLookups(KafkaPublisher publisher) {
    this.world = publisher.world;
    this.publisher = publisher;
  }

  boolean hasLine(String topic) {
    return lines.containsKey(topic);
  }

  void add(SimSend send) {
    String topic = send.destination();
    ArrayDeque<SimSend> line = lines.get(topic);
    if (line != null) {
      line.add(send);
    } else {
      lines.put(topic, new ArrayDeque<>(List.of(send)));
      lookUp(topic, world.time.now() + LOOKUP_LIMIT);
    }
  }

  private void lookUp(String topic, long deadline) {
    world.time.after(world.dice.micros(100, 3_000), () -> lookedUp(topic, deadline));
  }

  private void lookedUp(String topic, long deadline) {
    if (publisher.dead || publisher.waitsForThaw(() -> lookedUp(topic, deadline))) {
      return;
    }
    ArrayDeque<SimSend> line = lines.get(topic);
    if (line == null || line.isEmpty()) {
      lines.remove(topic);
      return;
    }
    KafkaPublisher.Client client = publisher.client(topic);
    if (!client.known.contains(topic)) {
      if (world.broker.refusal(topic) == Refusal.TOPIC_MISSING) {
        refuseAll(topic, line, send -> publisher.refused(send, Refusal.TOPIC_MISSING, false));
        return;
      }
      if (world.broker.health(topic) == SimBroker.Health.SILENT) {
        waitOn(topic, line, deadline, send -> publisher.unknown(send, "topic-lookup-timeout"));
        return;
      }
      client.known.add(topic);
    }
    while (!line.isEmpty() && publisher.isReady(topic)) {
      SimSend send = line.remove();
      if (publisher.isHeld(send)) {
        publisher.refuse(send, publisher.unknown(send, "behind-failed-send"));
      } else {
        int failures = publisher.failures();
        publisher.handOver(send);
        if (publisher.failures() > failures) {
          refuseHeld();
        }
      }
    }
    if (line.isEmpty()) {
      lines.remove(topic);
    } else {
      waitOn(topic, line, deadline, this::notSent);
    }
  }

  private void waitOn(
      String topic,
      ArrayDeque<SimSend> line,
      long deadline,
      Function<SimSend, Confirmation> atTheEnd) {
    if (world.time.now() > deadline) {
      refuseAll(topic, line, atTheEnd);
    } else {
      lookUp(topic, deadline);
    }
  }

  private void refuseAll(
      String topic, ArrayDeque<SimSend> line, Function<SimSend, Confirmation> outcome) {
    lines.remove(topic);
    line.forEach(send -> publisher.refuse(send, outcome.apply(send)));
  }

  private Confirmation notSent(SimSend send) {
    world.seen.rare(RareState.BUFFER_FULL);
    return new Confirmation.NotSent(send.message.sendId(), "buffer-full", "simulated");
  }

  /** What was accepted after a message that failed must not pass it. */
  void refuseHeld() {
    for (ArrayDeque<SimSend> line : lines.values()) {
      for (SimSend send : List.copyOf(line)) {
        if (publisher.isHeld(send)) {
          line.remove(send);
          publisher.refuse(send, publisher.unknown(send, "behind-failed-send"));
        }
      }
    }
  }

  /** The process is gone. */
  void die() {
    lines.values().forEach(line -> line.forEach(send -> send.killed = true));
  }
}

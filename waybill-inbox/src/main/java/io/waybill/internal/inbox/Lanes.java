package io.waybill.internal.inbox;

import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The assigned lanes, what they cost in memory, and the revocations that wait for workers. */
final class Lanes {
  private record Revocation(long number, List<Lane> lanes) {
    boolean quiet() {
      return lanes.stream().allMatch(lane -> lane.running == 0);
    }
  }

  private final InboxSettings settings;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final List<Revocation> leaving = new ArrayList<>();
  private int events;
  private long bytes;
  private boolean full;

  Lanes(InboxSettings settings) {
    this.settings = settings;
  }

  Lane lane(String name) {
    return lanes.computeIfAbsent(name, Lane::new);
  }

  Collection<Lane> all() {
    return lanes.values();
  }

  Stream<PendingMessage> messages() {
    return lanes.values().stream().flatMap(lane -> lane.messages.stream());
  }

  void add(PendingMessage message, Lane lane) {
    lane.messages.add(message);
    events++;
    bytes += message.bytes;
  }

  void remove(PendingMessage message) {
    Lane lane = message.lane;
    if (lane != null && lane.messages.remove(message)) {
      events--;
      bytes -= message.bytes;
    }
  }

  /** Takes lanes away; returns those there were. */
  List<Lane> revoke(long number, Set<String> names) {
    List<Lane> gone = new ArrayList<>();
    for (String name : names) {
      Lane lane = lanes.remove(name);
      if (lane != null) {
        lane.gone = true;
        gone.add(lane);
      }
    }
    leaving.add(new Revocation(number, gone));
    return gone;
  }

  /** Revocations whose last worker has ended. */
  List<Long> quiet() {
    if (leaving.isEmpty()) {
      return List.of();
    }
    List<Long> numbers =
        leaving.stream().filter(Revocation::quiet).map(Revocation::number).toList();
    leaving.removeIf(Revocation::quiet);
    return numbers;
  }

  /** What has to be told the subscriber so that memory stays within its bounds. */
  List<InboxEffect> holds() {
    if (events >= settings.maxEvents() || bytes >= settings.maxBytes()) {
      full = true;
    } else if (events <= settings.maxEvents() / 2 && bytes <= settings.maxBytes() / 2) {
      full = false;
    }
    List<InboxEffect> changes = new ArrayList<>();
    for (Lane lane : lanes.values()) {
      boolean held = full || lane.stopped;
      if (lane.held != held) {
        lane.held = held;
        changes.add(new InboxEffect.Pause(lane.name, held));
      }
    }
    return changes;
  }

  /** How long the oldest message of each is in memory. */
  Map<String, Duration> ages(long now) {
    Map<String, Duration> ages = new LinkedHashMap<>();
    for (Lane lane : lanes.values()) {
      Iterator<PendingMessage> oldest = lane.messages.iterator();
      ages.put(lane.name, Duration.ofNanos(oldest.hasNext() ? now - oldest.next().since : 0));
    }
    return ages;
  }

  /** Of each the message that can't be finished for the longest time. */
  List<InboxEvent.MessageStuck> stuck(long now) {
    List<InboxEvent.MessageStuck> stuck = new ArrayList<>();
    for (Lane lane : lanes.values()) {
      lane.messages.stream()
          .filter(message -> !message.hindrance.isEmpty())
          .max(Comparator.comparingLong(message -> now - message.hinderedSince))
          .ifPresent(
              message ->
                  stuck.add(
                      new InboxEvent.MessageStuck(
                          "message %d of lane %s"
                              .formatted(
                                  Objects.requireNonNull(message.delivery, "delivery").position(),
                                  lane.name),
                          message.about,
                          message.hindrance,
                          Duration.ofNanos(now - message.hinderedSince))));
    }
    return stuck;
  }

  int events() {
    return events;
  }

  long bytes() {
    return bytes;
  }

  int held() {
    return (int) lanes.values().stream().filter(lane -> lane.held).count();
  }

  int stopped() {
    return (int) lanes.values().stream().filter(lane -> lane.stopped).count();
  }
}

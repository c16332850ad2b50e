package io.waybill.internal.inbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the subscriber has delivered, on its way to the engine: deliveries of a lane wait until it
 * is known how far the database is in it, and are dropped while the lane is to be read again.
 * Thread-safe.
 */
final class Arrivals {
  private final Consumer<InboxInput> engine;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();

  /** A lane during one assignment. */
  private static final class Lane {
    private final long began;
    private List<ReceivedMessage> waiting = new ArrayList<>();
    private boolean known;
    private boolean turned;

    Lane(long began) {
      this.began = began;
    }

    boolean isWaiting() {
      return !known && !turned;
    }
  }

  Arrivals(Consumer<InboxInput> engine) {
    this.engine = engine;
  }

  /** Returns whether some of it waits for {@link #release}. */
  synchronized boolean delivered(List<ReceivedMessage> messages) {
    List<ReceivedMessage> passed = new ArrayList<>(messages.size());
    for (ReceivedMessage message : messages) {
      Lane lane =
          lanes.computeIfAbsent(
              message.delivery().lane(), name -> new Lane(message.delivery().position()));
      if (lane.known) {
        passed.add(message);
      } else if (lane.isWaiting()) {
        lane.waiting.add(message);
      }
    }
    if (!passed.isEmpty()) {
      engine.accept(new InboxInput.Delivered(passed));
    }
    return isWaiting();
  }

  synchronized boolean isWaiting() {
    return lanes.values().stream().anyMatch(Lane::isWaiting);
  }

  /** Lanes have left; they may come back. */
  synchronized void revoked(Set<String> names) {
    lanes.keySet().removeAll(names);
  }

  /** Lanes whose deliveries wait, with the position of the first. */
  synchronized Map<String, Long> waiting() {
    return began(false);
  }

  /** Lanes whose deliveries reach the engine, with the position of the first. */
  synchronized Map<String, Long> known() {
    return began(true);
  }

  private Map<String, Long> began(boolean known) {
    Map<String, Long> began = new LinkedHashMap<>();
    lanes.forEach(
        (name, lane) -> {
          if (known ? lane.known : lane.isWaiting()) {
            began.put(name, lane.began);
          }
        });
    return began;
  }

  /** The engine may have what waits of lanes, if it began there. */
  synchronized void release(Map<String, Long> began) {
    began.forEach(
        (name, position) -> {
          Lane lane = lanes.get(name);
          if (lane != null && lane.isWaiting() && lane.began == position) {
            engine.accept(new InboxInput.Delivered(lane.waiting));
            lane.waiting = List.of();
            lane.known = true;
          }
        });
  }

  /** Nothing more of these lanes counts until they were revoked. */
  synchronized void turn(Set<String> names) {
    for (String name : names) {
      Lane lane = lanes.get(name);
      if (lane != null) {
        lane.turned = true;
        lane.known = false;
        lane.waiting = List.of();
      }
    }
  }
}

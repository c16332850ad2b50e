package io.waybill.internal.inbox;

import io.waybill.broker.Reach;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides from where lanes are read again because the database may lack acknowledged events. Until
 * that is known, it withholds deliveries from the inbox's engine. It has no threads, clock or I/O.
 * Deliveries and revocations may come from any thread, everything else from one.
 */
public final class HistoryEngine {
  private final Arrivals arrivals;
  private final boolean again;
  private final Map<String, Long> noted = new HashMap<>();

  /**
   * The lanes of this process before the database is queried.
   *
   * @param known lanes that have reached the engine, with their first position
   * @param waiting lanes that wait, with their first position
   */
  public record Look(Map<String, Long> known, Map<String, Long> waiting) {
    /**
     * All lanes.
     *
     * @return names
     */
    public Set<String> lanes() {
      Set<String> lanes = new HashSet<>(known.keySet());
      lanes.addAll(waiting.keySet());
      return lanes;
    }
  }

  /**
   * The consequences of a look.
   *
   * @param back positions from which lanes are read again
   * @param steps steps to carry out in this order, each after the one before is done
   */
  public record Decision(Map<String, Long> back, List<HistoryStep> steps) {}

  /**
   * Creates an engine that knows no lane.
   *
   * @param engine receives the deliveries
   * @param again whether the broker still has acknowledged messages, which can then be read again
   */
  public HistoryEngine(Consumer<InboxInput> engine, boolean again) {
    this.arrivals = new Arrivals(engine);
    this.again = again;
  }

  /**
   * Messages have come.
   *
   * @param messages in the order of their lanes
   * @return whether a look is needed before some of them can be handled
   */
  public boolean delivered(List<ReceivedMessage> messages) {
    return arrivals.delivered(messages);
  }

  /**
   * Lanes have left; they may come back.
   *
   * @param lanes the lanes
   */
  public void revoked(Set<String> lanes) {
    arrivals.revoked(lanes);
  }

  /**
   * Whether deliveries wait for a look.
   *
   * @return true if so
   */
  public boolean isWaiting() {
    return arrivals.isWaiting();
  }

  /**
   * Starts a look.
   *
   * @return the lanes to ask the database about
   */
  public Look look() {
    Map<String, Long> waiting = arrivals.waiting();
    Map<String, Long> known = arrivals.known();
    noted.keySet().retainAll(known.keySet());
    return new Look(known, waiting);
  }

  /**
   * The database has answered.
   *
   * @param look the look
   * @param before the server that the inbox has worked on
   * @param found the answer
   * @param reach how far the broker has delivered, asked after the database: work on another server
   *     is refused by then
   * @return what to do
   */
  public Decision decide(
      Look look, String before, RecordedProgress found, Map<String, Reach> reach) {
    // In the order of their names: the same answers give the same steps.
    SortedMap<String, Long> back =
        new TreeMap<>(Floors.ofKnown(look.known, noted, reach, before, found));
    Set<String> inEngine = new TreeSet<>(back.keySet());
    Map<String, Long> ready = new HashMap<>(look.waiting);
    if (again) {
      // One that has left meanwhile was not compared: a note of it would say that it was.
      ready.keySet().retainAll(reach.keySet());
    }
    back.putAll(Floors.ofWaiting(ready.keySet(), reach, found));
    List<HistoryStep> steps = new ArrayList<>();
    boolean changed = !found.server().equals(before);
    if (changed) {
      noted.clear();
      if (again) {
        // Of one that is about to leave nothing begins on a server that may lack what came before.
        look.known.keySet().stream()
            .filter(lane -> !reach.containsKey(lane))
            .forEach(inEngine::add);
      }
    }
    if (!back.isEmpty() || !inEngine.isEmpty()) {
      steps.add(new HistoryStep.Forget(back.keySet(), inEngine));
    }
    if (!back.isEmpty()) {
      steps.add(new HistoryStep.SeekBack(back));
    }
    steps.add(new HistoryStep.Stand(found.server()));
    ready.keySet().removeAll(back.keySet());
    Map<String, Long> unknown = new HashMap<>(ready);
    unknown.keySet().removeIf(lane -> isHere(found.places().get(lane), found));
    if (!unknown.isEmpty()) {
      // Where each began is on record before anything of it is done.
      steps.add(new HistoryStep.Note(unknown));
    }
    steps.add(new HistoryStep.Release(ready));
    return new Decision(back, List.copyOf(steps));
  }

  private static boolean isHere(@Nullable Place place, RecordedProgress found) {
    return place != null && place.server().equals(found.server());
  }

  /**
   * Withholds lanes from the engine until they have been revoked.
   *
   * @param lanes the lanes
   */
  public void forget(Set<String> lanes) {
    arrivals.turn(lanes);
    noted.keySet().removeAll(lanes);
  }

  /**
   * Hands waiting deliveries of lanes to the engine, if they still wait since then.
   *
   * @param began by lane, position of the first message that waited
   */
  public void release(Map<String, Long> began) {
    arrivals.release(began);
  }

  /**
   * The positions to record for lanes that have reached the engine.
   *
   * @param reach how far the broker has delivered
   * @return positions by lane
   */
  public Map<String, Long> toNote(Map<String, Reach> reach) {
    Map<String, Long> positions = new HashMap<>();
    for (String lane : arrivals.known().keySet()) {
      Reach known = reach.get(lane);
      if (known != null && !Long.valueOf(known.done()).equals(noted.get(lane))) {
        positions.put(lane, known.done());
      }
    }
    return positions;
  }

  /**
   * The database has recorded positions.
   *
   * @param positions by lane
   */
  public void noted(Map<String, Long> positions) {
    noted.putAll(positions);
  }
}

package io.waybill.inbox;

import io.waybill.broker.Reach;
import io.waybill.store.Standing;
import io.waybill.store.Standing.Place;
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
 * Decides from where lanes are read again because the database may lack what was acknowledged, and
 * keeps what is delivered from the inbox's engine until that is known. It has no threads, clock or
 * I/O. Deliveries and revocations may come from any thread, everything else from one.
 */
public final class HistoryEngine {
  private final Arrivals arrivals;
  private final boolean again;
  private final Map<String, Long> noted = new HashMap<>();

  /**
   * The lanes of this process before the database is asked.
   *
   * @param known those that have reached the engine, with their first position
   * @param waiting those that wait, with their first position
   */
  public record Look(Map<String, Long> known, Map<String, Long> waiting) {
    /**
     * All of them.
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
   * What follows from a look.
   *
   * @param back from where lanes are read again
   * @param steps to be done in this order, each once the one before is done
   */
  public record Decision(Map<String, Long> back, List<HistoryStep> steps) {}

  /**
   * One that knows no lane.
   *
   * @param engine gets what is delivered
   * @param again whether the broker has what was acknowledged, so that it can be read again
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
  public boolean delivered(List<Incoming> messages) {
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
   * Begins a look.
   *
   * @return what the database is to be asked about
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
   * @param look what it was asked about
   * @param before the server on which the inbox stands
   * @param found what it said
   * @param reach how far the broker has delivered, asked after the database: what is to be done
   *     elsewhere is refused by then
   * @return what is to be done
   */
  public Decision decide(Look look, String before, Standing found, Map<String, Reach> reach) {
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

  private static boolean isHere(@Nullable Place place, Standing found) {
    return place != null && place.server().equals(found.server());
  }

  /**
   * Nothing more of lanes reaches the engine until they were revoked.
   *
   * @param lanes the lanes
   */
  public void forget(Set<String> lanes) {
    arrivals.turn(lanes);
    noted.keySet().removeAll(lanes);
  }

  /**
   * The engine gets what waits of lanes, if they still wait since then.
   *
   * @param began by lane, position of the first message that waited
   */
  public void release(Map<String, Long> began) {
    arrivals.release(began);
  }

  /**
   * What there is to note of lanes that have reached the engine.
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
   * The database has that.
   *
   * @param positions by lane
   */
  public void noted(Map<String, Long> positions) {
    noted.putAll(positions);
  }
}

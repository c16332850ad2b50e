package io.waybill.torture;

import io.waybill.proof.oracle.FaultWindow;
import io.waybill.torture.Events.Published;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The oracle of consumers: what was published, and what came of it.
 *
 * @param published every event
 * @param applied ids of the effects in the database, in the order in which they were made
 * @param letters ids of the dead letters
 * @param causes faults that can be the cause of an ERROR line, or of a process that ends
 * @param consumers what is known of the processes
 * @param forgotten whether the database has forgotten what it had, and so who was dead
 */
record Effects(
    List<Published> published,
    List<String> applied,
    List<String> letters,
    List<FaultWindow> causes,
    Evidence.Processes consumers,
    boolean forgotten) {
  private static final int MOST_EXAMPLES = 5;

  /** What was counted, and what must not be. */
  record Judgement(Figures figures, List<String> findings) {}

  /**
   * Counts.
   *
   * @param lost events of which nothing came
   * @param twice effects beyond the first of their event
   * @param ghosts effects and letters of events that nobody published
   * @param orderBreaks effects before one of a lower number of their key, in one lane
   * @param both events with an effect and a letter
   * @param wrongOutcomes events that were applied and had to fail, or the other way round
   * @param ordersAcrossGrowth those of keys whose copies lay in several lanes
   * @param dead events with a letter
   * @param letterCopies letters beyond the first of their event
   */
  record Figures(
      long lost,
      long twice,
      long ghosts,
      long orderBreaks,
      long both,
      long wrongOutcomes,
      long ordersAcrossGrowth,
      long dead,
      long letterCopies)
      implements Outcome.Figures {
    @Override
    public Map<String, Long> members() {
      Map<String, Long> members = new LinkedHashMap<>();
      members.put("lost", lost);
      members.put("twice", twice);
      members.put("ghosts", ghosts);
      members.put("orderBreaks", orderBreaks);
      members.put("deadAndApplied", both);
      members.put("wrongOutcomes", wrongOutcomes);
      members.put("ordersAcrossGrowth", ordersAcrossGrowth);
      members.put("dead", dead);
      members.put("letterCopies", letterCopies);
      return members;
    }

    @Override
    public long broken() {
      return lost + twice + ghosts + orderBreaks + both + wrongOutcomes;
    }
  }

  /** Whether something came of every event. */
  boolean isComplete() {
    Set<String> ended = new HashSet<>(applied);
    ended.addAll(letters);
    return published.stream().allMatch(event -> ended.contains(event.id()));
  }

  Judgement judge() {
    List<String> findings = new ArrayList<>();
    Map<String, Published> known = new HashMap<>();
    published.forEach(event -> known.put(event.id(), event));
    Set<String> effects = new HashSet<>(applied);
    Set<String> dead = new HashSet<>(letters);
    long lost =
        none(
            findings,
            published.stream()
                .filter(event -> !effects.contains(event.id()) && !dead.contains(event.id()))
                .toList(),
            "events have neither effect nor dead letter (lost)");
    long twice = none(findings, repeated(applied), "effects were made again (twice)");
    List<String> unknown = new ArrayList<>(applied);
    unknown.addAll(letters);
    unknown.removeIf(known::containsKey);
    long ghosts = none(findings, unknown, "effects or letters are of no event (ghosts)");
    long both =
        none(
            findings,
            published.stream()
                .filter(event -> effects.contains(event.id()) && dead.contains(event.id()))
                .filter(event -> !forgotten || event.kind() != EventKind.MENDED)
                .toList(),
            "events have an effect and a dead letter");
    long wrong =
        none(
            findings,
            published.stream()
                .filter(
                    event ->
                        (effects.contains(event.id()) && !event.kind().mayBeApplied())
                            || (dead.contains(event.id()) && !event.kind().mayBeDead()))
                .toList(),
            "events were applied and had to fail, or are dead and had nothing wrong");
    Order order = order(known);
    none(findings, order.broken(), "effects are out of the order of their keys");
    findings.addAll(Judge.processes(consumers, causes));
    Figures figures =
        new Figures(
            lost,
            twice,
            ghosts,
            order.broken().size(),
            both,
            wrong,
            order.acrossGrowth(),
            dead.size(),
            letters.size() - dead.size());
    return new Judgement(figures, List.copyOf(findings));
  }

  private static List<String> repeated(List<String> ids) {
    Set<String> seen = new HashSet<>();
    return ids.stream().filter(id -> !seen.add(id)).toList();
  }

  private record Order(List<String> broken, long acrossGrowth) {}

  /** The first effects of each key; an event whose copies lie in several lanes has no place. */
  private Order order(Map<String, Published> known) {
    Map<String, Published> highest = new HashMap<>();
    Map<String, Published> highestInLane = new HashMap<>();
    Set<String> seen = new HashSet<>();
    List<String> broken = new ArrayList<>();
    long across = 0;
    for (String id : applied) {
      Published event = known.get(id);
      if (event == null || event.key().isEmpty() || !seen.add(id)) {
        continue;
      }
      boolean late = isLate(event, event.key(), highest);
      if (event.lanes().size() == 1 && isLate(event, event.key() + event.lanes(), highestInLane)) {
        broken.add(event.id() + " behind a later one in " + event.lanes());
      } else if (late) {
        across++;
      }
    }
    return new Order(broken, across);
  }

  private static boolean isLate(Published event, String place, Map<String, Published> highest) {
    Published before =
        highest.merge(place, event, (one, other) -> one.number() > other.number() ? one : other);
    return before.number() > event.number();
  }

  private static long none(List<String> findings, Collection<?> found, String what) {
    if (!found.isEmpty()) {
      findings.add(found.size() + " " + what);
      found.stream().limit(MOST_EXAMPLES).forEach(each -> findings.add("  " + each));
    }
    return found.size();
  }
}

package io.waybill.internal.relay;

import io.waybill.broker.Confirmation;
import io.waybill.message.Destination;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayEvent.BreakerState;
import io.waybill.policy.EngineSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The destinations in trouble or paused, each with its circuit breaker; nothing is kept of the
 * others. Beyond a bound, keys that were refused have one breaker in common for their exchange or
 * topic, and keys that got no answer another one, all together: their destinations may be well, and
 * must not wait for those that refuse.
 */
final class Destinations {
  /** What nothing waits for is forgotten after this time. */
  private static final long FORGET_NANOS = Duration.ofMinutes(10).toNanos();

  /** Between looks for keys that rest. */
  private static final long STRETCH_NANOS = Duration.ofMillis(10).toNanos();

  /** The breaker of keys that got no answer, of whatever destination. */
  private static final String UNANSWERED = "*";

  /** Enough to know that something else can be sent. */
  private static final int REMEMBERED_OPEN = 16;

  private final EngineState state;
  private final Map<String, Breaker> breakers = new LinkedHashMap<>();
  private final Map<String, Breaker> common = new LinkedHashMap<>();
  // Those that may let keys go.
  private final ArrayDeque<Breaker> line = new ArrayDeque<>();
  private final Set<String> open = new LinkedHashSet<>();
  private String lastOpen = "";
  private boolean refusals;
  private long answers;
  private long nextDue = Long.MAX_VALUE;

  Destinations(EngineState state) {
    this.state = state;
  }

  /** What the key's next message to the destination has to get through; null for nothing. */
  @Nullable Breaker gate(KeyQueue key, String name) {
    Breaker own = breakers.isEmpty() ? null : breakers.get(name);
    return own == null ? key.common : own;
  }

  int size() {
    return breakers.size() + common.size();
  }

  /** Exchanges or topics with a common breaker; the rest have one together. */
  static int mostCommon(EngineSettings settings) {
    return Math.max(1, settings.maxBreakers() / 10);
  }

  boolean isEmpty() {
    return breakers.isEmpty() && common.isEmpty();
  }

  /** Whether there are destinations that can be sent to, as far as is known. */
  boolean anyOpen() {
    return refusals || !open.isEmpty();
  }

  void setPaused(Set<String> paused) {
    for (String name : paused) {
      Breaker breaker = breakers.computeIfAbsent(name, n -> new Breaker(n, false));
      if (!breaker.isPaused()) {
        breaker.setPaused(true, state.now);
        notOpen(name);
        tell(breaker, "an operator paused it");
      }
    }
    for (Breaker breaker : List.copyOf(breakers.values())) {
      if (breaker.isPaused() && !paused.contains(breaker.name)) {
        breaker.setPaused(false, state.now);
        tell(breaker, breaker.isTripped() ? breaker.reason() : "an operator resumed it");
        queue(breaker);
        if (breaker.isTripped()) {
          due(breaker.reopensAt());
        }
      }
    }
  }

  /** Lets the breaker of the entry's destination know how the send ended. */
  void outcome(Entry entry, Confirmation confirmation) {
    Breaker through = entry.home();
    Breaker before = entry.key.common;
    if (through != null) {
      through.home();
      queue(through);
    }
    if (confirmation instanceof Confirmation.Refused
        || confirmation instanceof Confirmation.Unknown) {
      failed(entry, (Confirmation.NotConfirmed) confirmation, through);
    } else if (!(confirmation instanceof Confirmation.NotSent)) {
      answered(entry, through);
    }
    left(before, entry.key);
    left(through, entry.key);
  }

  /** The key may have been the last that had the breaker in common with others. */
  void left(@Nullable Breaker before, KeyQueue key) {
    if (before != null
        && before != key.common
        && before.isIdle()
        && common.remove(before.name, before)) {
      forgotten(before);
    }
  }

  private void answered(Entry entry, @Nullable Breaker through) {
    answers++;
    entry.key.common = null;
    Breaker breaker = through != null && through.common ? through : breakers.get(entry.name);
    if (breaker != null && breaker.answered(through == breaker)) {
      tell(breaker, "it answers again");
      queue(breaker);
    }
  }

  /** Something is sent to the destination, and nothing is known against it. */
  void open(String name) {
    if (name.equals(lastOpen)) {
      return;
    }
    lastOpen = name;
    if (open.add(name) && open.size() > REMEMBERED_OPEN) {
      Iterator<String> eldest = open.iterator();
      eldest.next();
      eldest.remove();
    }
  }

  private void notOpen(String name) {
    open.remove(name);
    lastOpen = "";
  }

  private void failed(Entry entry, Confirmation.NotConfirmed failure, @Nullable Breaker through) {
    boolean refusal = failure instanceof Confirmation.Refused;
    if (refusal) {
      answers++;
    }
    notOpen(entry.name);
    Breaker breaker = breakerOf(entry, refusal);
    if (breaker.common) {
      entry.key.refusedInCommon(breaker, refusal, state.now);
    } else {
      entry.key.common = null;
    }
    if (breaker.failed(failure, through == breaker, state.now, answers)) {
      tell(breaker, failure.reason());
    }
    refusals = refusal || (refusals && !breaker.nobodyAnswers());
    due(breaker.reopensAt());
  }

  private Breaker breakerOf(Entry entry, boolean refusal) {
    Breaker own = breakers.get(entry.name);
    if (own == null && breakers.size() < state.settings.maxBreakers()) {
      own = new Breaker(entry.name, false);
      breakers.put(entry.name, own);
    }
    return own == null ? commonOf(refusal ? targetOf(entry.destination) : UNANSWERED) : own;
  }

  private static String targetOf(@Nullable Destination destination) {
    return destination == null ? "" : destination.target();
  }

  private Breaker commonOf(String target) {
    Breaker known = common.get(target);
    if (known != null) {
      return known;
    }
    boolean room = target.equals(UNANSWERED) || common.size() < mostCommon(state.settings);
    return common.computeIfAbsent(room ? target : "", n -> new Breaker(n, true));
  }

  private void tell(Breaker breaker, String reason) {
    state.tell(new RelayEvent.BreakerChanged(shown(breaker), breaker.state(state.now), reason));
  }

  /** As people see it. */
  static String shown(Breaker breaker) {
    return breaker.common ? breaker.name + "/*" : breaker.name;
  }

  /** Breakers whose pause is over stand in line; what nothing waits for is forgotten. */
  void comeDue() {
    if (nextDue == Long.MAX_VALUE || state.now - nextDue < 0) {
      return;
    }
    nextDue = Long.MAX_VALUE;
    comeDue(breakers.values());
    comeDue(common.values());
  }

  private void comeDue(Collection<Breaker> all) {
    for (Iterator<Breaker> each = all.iterator(); each.hasNext(); ) {
      Breaker breaker = each.next();
      BreakerState now = breaker.state(state.now);
      if (now == BreakerState.OPEN) {
        due(breaker.reopensAt());
      } else if (now == BreakerState.PROBING) {
        long forget = breaker.reopensAt() + FORGET_NANOS;
        if (!breaker.isIdle()) {
          queue(breaker);
          due(state.now + FORGET_NANOS);
        } else if (state.now - forget < 0) {
          due(forget);
        } else {
          each.remove();
          forgotten(breaker);
        }
      }
    }
  }

  private void forgotten(Breaker breaker) {
    breaker.close();
    tell(breaker, "no event waits for it any more");
  }

  /**
   * For how many nanoseconds everything of the key has been refused. Others that have a breaker in
   * common with it may have been refused for longer.
   */
  long refusesFor(KeyQueue key, Breaker breaker) {
    long all = breaker.refusesFor(state.now);
    return breaker.common ? Math.min(all, state.now - key.refusedSince) : all;
  }

  /** Those that have failed and not been answered since. */
  Stream<Breaker> tripped() {
    return Stream.concat(breakers.values().stream(), common.values().stream())
        .filter(Breaker::isTripped);
  }

  private void due(long at) {
    nextDue = Math.min(nextDue, at);
  }

  private void queue(Breaker breaker) {
    if (!breaker.queued) {
      breaker.queued = true;
      line.add(breaker);
    }
  }

  int inLine() {
    return line.size();
  }

  /** The next breaker that may let keys go; the caller says when it {@link #hasLet} them. */
  Breaker nextInLine() {
    return line.remove();
  }

  /** Back into the line if there is more to let go; forgotten if that was all. */
  void hasLet(Breaker breaker) {
    breaker.queued = false;
    if (breaker.anyWaits() && breaker.permits(state.now)) {
      queue(breaker);
      if (breaker.waiting.isEmpty()) {
        // Those that rest are looked for a stretch at a time.
        due(state.now + STRETCH_NANOS);
      }
    } else if (breaker.isIdle() && !breaker.isTripped()) {
      (breaker.common ? common : breakers).remove(breaker.name, breaker);
    }
  }

  /** The key waits for a destination no longer. */
  void release(KeyQueue key) {
    Breaker before = key.common;
    key.common = null;
    if (key.waitsFor != null) {
      key.waitsFor.release(key);
    }
    left(before, key);
  }

  void forgetKeys() {
    breakers.values().forEach(Breaker::forgetKeys);
    common.values().forEach(Breaker::forgetKeys);
    List<Breaker> all = new ArrayList<>(breakers.values());
    all.addAll(common.values());
    all.forEach(this::queue);
  }

  /** When a breaker lets a probe through or is forgotten. */
  long deadline() {
    return nextDue;
  }
}

package io.waybill.proof.explore;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Visits every state of a scope, breadth first, so that the first history that breaks a promise is
 * a shortest one. States are told apart by 128 bits of a hash over all of them. In the end it looks
 * from which states no way without further faults leads to rest. Not thread-safe.
 */
final class Explorer {
  static final String STUCK = "I2 nothing is lost";

  private final World world;
  private final Choices choices;
  private final long most;
  private final MessageDigest digest;
  private final Map<Key, Integer> known = new HashMap<>();
  private final ArrayDeque<State> open = new ArrayDeque<>();
  private final Graph graph = new Graph();
  private final Map<String, Found> broken = new TreeMap<>();
  private final Map<Action, Long> actions = new EnumMap<>(Action.class);
  private long transitions;
  private int depth;

  private record Key(long one, long other) {}

  private static final class Found {
    int count;
    List<String> history = List.of();
  }

  Explorer(Scope scope, long most) {
    this.world = new World(scope);
    this.choices = new Choices(world);
    this.most = most;
    try {
      this.digest = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Explores until all states are visited, or so many are known. */
  Exploration run() {
    State start = world.start();
    add(key(start), -1, 0, 0);
    open.add(start);
    for (int number = 0; !open.isEmpty() && known.size() < most; number++) {
      expand(number, open.remove());
    }
    boolean complete = open.isEmpty();
    look(complete);
    return new Exploration(
        world.scope,
        known.size(),
        transitions,
        world.engines.count(),
        depth,
        complete,
        counts(),
        histories(),
        actions);
  }

  private void expand(int number, State state) {
    depth = Math.max(depth, graph.depth(number));
    graph.begin(number, choices.atRest(state));
    List<Choice> all = choices.of(state);
    for (int i = 0; i < all.size(); i++) {
      Choice choice = all.get(i);
      transitions++;
      actions.merge(choice.action(), 1L, Long::sum);
      try {
        State next = world.after(state, choice);
        int to = number(next, number, i);
        if (!choice.fault()) {
          graph.edge(to);
        }
      } catch (Broken e) {
        found(e.promise(), number, i, String.valueOf(e.getMessage()));
      }
    }
    graph.end();
  }

  private int number(State state, int from, int choice) {
    Key key = key(state);
    Integer seen = known.get(key);
    if (seen != null) {
      return seen;
    }
    open.add(state);
    return add(key, from, choice, graph.depth(from) + 1);
  }

  private int add(Key key, int from, int choice, int deep) {
    int number = known.size();
    known.put(key, number);
    graph.add(from, choice, deep);
    return number;
  }

  private Key key(State state) {
    byte[] hash = digest.digest(state.bytes());
    return new Key(eight(hash, 0), eight(hash, 8));
  }

  private static long eight(byte[] bytes, int from) {
    long value = 0;
    for (int i = from; i < from + 8; i++) {
      value = value << 8 | (bytes[i] & 0xFF);
    }
    return value;
  }

  private void found(String promise, int state, int choice, String what) {
    Found found = broken.computeIfAbsent(promise, name -> new Found());
    found.count++;
    if (found.count == 1) {
      found.history = history(state, choice, what);
    }
  }

  /** States that were not looked at count as good: an exploration that ends early accuses none. */
  private void look(boolean complete) {
    int first = graph.firstStuck(complete ? known.size() : known.size() - open.size());
    if (first >= 0) {
      Found found = broken.computeIfAbsent(STUCK, name -> new Found());
      found.count = graph.stuck();
      found.history = history(first, -1, STUCK + ": no way leads from here to rest");
    }
  }

  private List<String> history(int state, int last, String what) {
    List<Integer> way = graph.way(state);
    if (last >= 0) {
      way.add(last);
    }
    List<String> lines = new ArrayList<>();
    State at = world.start();
    for (int i = 0; i < way.size(); i++) {
      Choice choice = choices.of(at).get(way.get(i));
      lines.add(choices.describe(at, choice));
      if (i < way.size() - 1 || last < 0) {
        at = world.after(at, choice);
      }
    }
    lines.add(what);
    return lines;
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    broken.forEach((promise, found) -> counts.put(promise, found.count));
    return counts;
  }

  private Map<String, List<String>> histories() {
    Map<String, List<String>> histories = new TreeMap<>();
    broken.forEach((promise, found) -> histories.put(promise, found.history));
    return histories;
  }
}

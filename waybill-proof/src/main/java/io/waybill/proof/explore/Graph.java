package io.waybill.proof.explore;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/** The states by number: how each was reached first, and where it leads without a fault. */
final class Graph {
  private int[] parents = new int[1024];
  private short[] ways = new short[1024];
  private short[] depths = new short[1024];
  private int states;
  private int[] starts = new int[1024];
  private int[] edges = new int[4096];
  private int edgeCount;
  private int looked;
  private final BitSet rests = new BitSet();
  private final BitSet reaches = new BitSet();

  void add(int parent, int choice, int depth) {
    if (states == parents.length) {
      parents = Arrays.copyOf(parents, 2 * states);
      ways = Arrays.copyOf(ways, 2 * states);
      depths = Arrays.copyOf(depths, 2 * states);
    }
    parents[states] = parent;
    ways[states] = (short) choice;
    depths[states] = (short) depth;
    states++;
  }

  int depth(int state) {
    return depths[state];
  }

  /** States are looked at in the order of their numbers. */
  void begin(int state, boolean rest) {
    if (state + 1 >= starts.length) {
      starts = Arrays.copyOf(starts, 2 * starts.length);
    }
    starts[state] = edgeCount;
    rests.set(state, rest);
  }

  void edge(int to) {
    if (edgeCount == edges.length) {
      edges = Arrays.copyOf(edges, 2 * edgeCount);
    }
    edges[edgeCount++] = to;
  }

  void end() {
    starts[++looked] = edgeCount;
  }

  /** The choices that lead from the start to a state. */
  List<Integer> way(int state) {
    List<Integer> way = new ArrayList<>();
    for (int at = state; parents[at] >= 0; at = parents[at]) {
      way.add((int) ways[at]);
    }
    Collections.reverse(way);
    return way;
  }

  /** The first state that was looked at and from which no way leads to rest, or -1. */
  int firstStuck(int lookedAt) {
    int[] incoming = new int[states + 1];
    for (int i = 0; i < edgeCount; i++) {
      incoming[edges[i] + 1]++;
    }
    for (int i = 0; i < states; i++) {
      incoming[i + 1] += incoming[i];
    }
    int[] from = new int[edgeCount];
    int[] next = incoming.clone();
    for (int state = 0; state < lookedAt; state++) {
      for (int i = starts[state]; i < starts[state + 1]; i++) {
        from[next[edges[i]]++] = state;
      }
    }
    walkBack(incoming, from, lookedAt);
    int first = reaches.nextClearBit(0);
    return first < states ? first : -1;
  }

  private void walkBack(int[] incoming, int[] from, int lookedAt) {
    reaches.or(rests);
    reaches.set(lookedAt, Math.max(lookedAt, states));
    ArrayDeque<Integer> work = new ArrayDeque<>();
    reaches.stream().forEach(work::add);
    while (!work.isEmpty()) {
      int state = work.remove();
      for (int i = incoming[state]; i < incoming[state + 1]; i++) {
        if (!reaches.get(from[i])) {
          reaches.set(from[i]);
          work.add(from[i]);
        }
      }
    }
  }

  int stuck() {
    return states - reaches.cardinality();
  }
}

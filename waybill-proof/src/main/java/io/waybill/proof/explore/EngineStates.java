package io.waybill.proof.explore;

import io.waybill.broker.Outgoing;
import io.waybill.internal.relay.Effect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states in which an engine can be, and where each step leads from each of them. A state is
 * reached by feeding a new engine the steps that first led there: engines are never copied, and
 * every step is one of the production code.
 */
final class EngineStates {
  static final int NEW = 0;

  private final Scope scope;
  private final Rows rows;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Bytes.Image, Integer> known = new HashMap<>();
  private final Map<Way, Move> moves = new HashMap<>();

  private record Node(
      int parent, @Nullable Step step, Map<Line, Effect.Call> asked, boolean wakes) {}

  private record Way(int from, Step step) {}

  /** A message handed over: which row, and how far its number is behind the next one. */
  record Sent(int row, long behind) {}

  /**
   * Where a step leads.
   *
   * @param to the engine's state
   * @param sent messages handed over, in order
   * @param shift by how much the number of the next send grew
   * @param fenced whether the engine forgot everything, because others own it
   * @param stopped whether the engine has come to its end
   */
  record Move(int to, List<Sent> sent, long shift, boolean fenced, boolean stopped) {}

  EngineStates(Scope scope, Rows rows) {
    this.scope = scope;
    this.rows = rows;
    number(new Live(scope, rows), -1, null);
  }

  int count() {
    return nodes.size();
  }

  /** The call under way on a line. */
  Effect.@Nullable Call asked(int state, Line line) {
    return nodes.get(state).asked().get(line);
  }

  /** Whether the engine waits for any time. */
  boolean wakes(int state) {
    return nodes.get(state).wakes();
  }

  Move move(int from, Step step) {
    Way way = new Way(from, step);
    Move known = moves.get(way);
    if (known == null) {
      known = make(from, step);
      moves.put(way, known);
    }
    return known;
  }

  private Move make(int from, Step step) {
    Live live = replay(from);
    long before = Fingerprint.nextSend(live.engine);
    live.take(step);
    long after = Fingerprint.nextSend(live.engine);
    List<Sent> sent = new ArrayList<>();
    for (Outgoing message : live.sent) {
      sent.add(new Sent(Rows.index(message), after - message.sendId()));
    }
    return new Move(number(live, from, step), sent, after - before, live.fenced, live.stopped);
  }

  private Live replay(int state) {
    ArrayDeque<Step> steps = new ArrayDeque<>();
    Node node = nodes.get(state);
    while (node.step() != null) {
      steps.push(node.step());
      node = nodes.get(node.parent());
    }
    Live live = new Live(scope, rows);
    steps.forEach(live::take);
    return live;
  }

  private int number(Live live, int parent, @Nullable Step step) {
    return known.computeIfAbsent(
        Fingerprint.of(live),
        image -> {
          Map<Line, Effect.Call> asked = new EnumMap<>(Line.class);
          live.asked.forEach((line, call) -> asked.put(line, call.call()));
          boolean wakes = live.engine.deadline() != Long.MAX_VALUE;
          nodes.add(new Node(parent, step, asked, wakes));
          return nodes.size() - 1;
        });
  }
}

package io.waybill.proof.sim.relay;

import io.waybill.internal.relay.Effect;
import io.waybill.store.FailedRow;
import io.waybill.store.Settlement;
import java.util.List;
import java.util.function.UnaryOperator;

/** Other notes of rows that wait than the engine wants. */
final class OtherNotes extends Mutation {
  private final UnaryOperator<List<FailedRow>> notes;

  private OtherNotes(UnaryOperator<List<FailedRow>> notes) {
    this.notes = notes;
  }

  /** Why rows wait is written with the settlement after. */
  static OtherNotes late() {
    return new OtherNotes(
        new UnaryOperator<>() {
          private List<FailedRow> waiting = List.of();

          @Override
          public List<FailedRow> apply(List<FailedRow> wanted) {
            List<FailedRow> before = waiting;
            waiting = wanted;
            return before;
          }
        });
  }

  /** A send of the row behind counts as one of the first. */
  static OtherNotes ofRowsBehind() {
    return new OtherNotes(wanted -> wanted.stream().map(OtherNotes::withOneMore).toList());
  }

  private static FailedRow withOneMore(FailedRow note) {
    return new FailedRow(
        note.row().sends(note.row().sends() + 1),
        note.state(),
        note.attempts(),
        note.unknownOutcome(),
        note.delayMillis(),
        note.reason(),
        note.detail(),
        note.destination());
  }

  @Override
  List<Effect> effects(SimRelay relay, List<Effect> effects) {
    return effects.stream().map(this::changed).toList();
  }

  private Effect changed(Effect effect) {
    if (!(effect instanceof Effect.Settle settle)) {
      return effect;
    }
    Settlement s = settle.settlement();
    return new Effect.Settle(
        settle.id(),
        settle.session(),
        new Settlement(
            s.published(),
            s.recovered(),
            s.failed(),
            s.held(),
            s.handled(),
            s.forgotten(),
            s.setAside(),
            notes.apply(s.noted())));
  }
}

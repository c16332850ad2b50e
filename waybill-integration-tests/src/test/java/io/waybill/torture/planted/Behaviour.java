package io.waybill.torture.planted;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.store.LaneView;
import io.waybill.store.OutboxRow;
import io.waybill.store.OutboxStore.Settled;
import io.waybill.store.ReadResult;
import io.waybill.store.RowLook;
import io.waybill.store.Session;
import io.waybill.store.Settlement;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The honest behaviour of a relay at the places where each bug changes it. */
abstract class Behaviour {
  /** A message was handed over. */
  void sent(Outgoing message, Consumer<Confirmation> engine) {}

  /** What is handed over. */
  Outgoing sending(Outgoing message) {
    return message;
  }

  /** How rows stand. */
  List<RowLook> looked(List<RowLook> looks) {
    return looks;
  }

  /** The publisher says what became of a message. */
  void outcome(Confirmation outcome, Consumer<Confirmation> engine) {
    engine.accept(outcome);
  }

  /** What a relay sees of the owners of lanes. */
  LaneView view(LaneView view, Session session, SideTables tables) {
    return view;
  }

  /** Which lanes a relay has from now on. */
  Set<Integer> acquired(Set<Integer> wanted, Set<Integer> won, SideTables tables) {
    return won;
  }

  /** Whether a session lives on. */
  boolean renewed(boolean renewed) {
    return renewed;
  }

  /** A session has lanes to read. */
  void assigned(Session session) {}

  Settled settled(Supplier<Settled> settle, Settlement settlement) {
    return settle.get();
  }

  ReadResult read(Supplier<ReadResult> read, Consumer<List<OutboxRow>> markPublished) {
    return read.get();
  }
}

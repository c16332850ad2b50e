package io.waybill.internal.relay;

import io.waybill.observe.RelayEvent;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;

/** Changes of rows on their way to the database; a lane is not given back before they are made. */
final class Marks {
  private final EngineState state;

  Marks(EngineState state) {
    this.state = state;
  }

  void published(Entry entry) {
    outstanding(entry);
    state.settle.published(entry, state.now);
  }

  void replayed(Entry entry) {
    outstanding(entry);
    state.settle.replayed(entry, state.now);
  }

  void held(Entry entry) {
    outstanding(entry);
    state.settle.held(entry, state.now);
  }

  void failed(Entry entry, FailedRow failed) {
    outstanding(entry);
    state.settle.failed(entry, failed, state.now);
    // A row has one place at a time.
    entry.held(false);
    if (failed.state() == RowState.DEAD && !entry.gaveUp) {
      entry.givingUp();
    }
  }

  void setAside(Entry entry, FailedRow failed) {
    outstanding(entry);
    state.settle.setAside(entry, failed, state.now);
    // A row has one place at a time.
    entry.held(false);
  }

  private void outstanding(Entry entry) {
    state.lanes.addOutstanding(entry.key.lane, 1);
  }

  void tellPublished(Entry entry) {
    if (entry.state == Entry.State.CONFIRMED && !entry.burying) {
      OutboxRow row = entry.row;
      state.tell(
          new RelayEvent.Published(
              row.eventId(),
              row.eventType(),
              row.traceparent(),
              entry.name,
              row.readAtMicros() - row.createdAtMicros(),
              (entry.confirmedNanos - entry.readNanos) / 1000,
              (state.now - entry.confirmedNanos) / 1000));
    }
  }
}

package io.waybill.proof.sim.relay;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import io.waybill.store.Settlement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A dead event that is tried again goes before all others of its key, whichever of them are tried
 * again as well: the engine knows it by a lower id than any other.
 */
final class RetriedFirst extends Mutation {
  private final Map<SimRelay, Names> names = new HashMap<>();

  /** What one engine calls rows. */
  private static final class Names {
    final Map<RowRef, Long> given = new HashMap<>();
    final Map<RowRef, Object> real = new HashMap<>();
    Effect.@Nullable Look asked;
    private long lowest;

    OutboxRow give(OutboxRow row) {
      OutboxRow called = withId(row, given.computeIfAbsent(row.ref(), ref -> --lowest));
      real.put(called.ref(), row.rowId());
      return called;
    }

    OperatorRequest called(OperatorRequest request) {
      OutboxRow row = request.row();
      boolean revives = request.verb() == Verb.RETRY && request.state() == EventState.DEAD;
      if (row == null || !(revives || given.containsKey(row.ref()))) {
        return request;
      }
      OutboxRow called = give(row);
      return new OperatorRequest(
          request.requestId(),
          request.verb(),
          called.rowId(),
          called,
          request.state(),
          request.reason());
    }

    OutboxRow real(OutboxRow row) {
      return real.containsKey(row.ref()) ? withId(row, real(row.ref()).rowId()) : row;
    }

    RowRef real(RowRef ref) {
      return new RowRef(real.getOrDefault(ref, ref.rowId()), ref.createdAtMicros());
    }

    List<FailedRow> real(List<FailedRow> rows) {
      return rows.stream()
          .map(
              failed ->
                  new FailedRow(
                      real(failed.row()),
                      failed.state(),
                      failed.attempts(),
                      failed.unknownOutcome(),
                      failed.delayMillis(),
                      failed.reason(),
                      failed.detail(),
                      failed.destination()))
          .toList();
    }

    Settlement real(Settlement s) {
      return new Settlement(
          s.published().stream().map(this::real).toList(),
          s.recovered().stream().map(this::real).toList(),
          real(s.failed()),
          s.held().stream().map(this::real).toList(),
          s.handled(),
          s.forgotten().stream().map(this::real).toList(),
          real(s.setAside()),
          real(s.noted()));
    }
  }

  @Override
  Input input(SimRelay relay, Input input) {
    Names known = of(relay);
    if (input instanceof Input.ControlRead read) {
      return new Input.ControlRead(
          read.requests().stream().map(known::called).toList(), read.pausedDestinations());
    }
    if (input instanceof Input.Looked looked) {
      Effect.Look asked = Objects.requireNonNull(known.asked);
      List<RowLook> looks = new ArrayList<>();
      for (int i = 0; i < asked.rows().size(); i++) {
        RowRef ref = asked.rows().get(i);
        RowLook look = looked.looks().get(i);
        OutboxRow row = look.row();
        looks.add(new RowLook(ref, row == null ? null : withId(row, ref.rowId()), look.state()));
      }
      return new Input.Looked(asked, looks);
    }
    return input;
  }

  @Override
  List<Effect> effects(SimRelay relay, List<Effect> effects) {
    return effects.stream().map(effect -> real(of(relay), effect)).toList();
  }

  private static Effect real(Names known, Effect effect) {
    if (effect instanceof Effect.Settle settle) {
      return new Effect.Settle(settle.id(), settle.session(), known.real(settle.settlement()));
    }
    if (effect instanceof Effect.Look look) {
      known.asked = look;
      return new Effect.Look(
          look.session(), look.rows().stream().map(known::real).toList(), look.maxBytes());
    }
    return effect;
  }

  private Names of(SimRelay relay) {
    return names.computeIfAbsent(relay, one -> new Names());
  }

  private static OutboxRow withId(OutboxRow row, Object id) {
    return new OutboxRow(
        id,
        row.lane(),
        row.eventId(),
        row.eventType(),
        row.eventVersion(),
        row.key(),
        row.payload(),
        row.contentType(),
        row.headersJson(),
        row.correlationId(),
        row.causationId(),
        row.traceparent(),
        row.createdAtMicros(),
        row.readAtMicros(),
        row.replay(),
        row.storedBytes(),
        row.whole(),
        row.sends());
  }
}

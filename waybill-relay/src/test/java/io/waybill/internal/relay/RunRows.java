package io.waybill.internal.relay;

import io.waybill.message.EventKey;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowLook;
import io.waybill.store.RowRef;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of an {@link EngineRun}, and what a look at them shows. */
final class RunRows {
  // The last ones: some tests count what rows leave behind.
  private final Map<Object, OutboxRow> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, OutboxRow> eldest) {
          return size() > 1_000;
        }
      };
  private final Map<Object, EventState> states = new HashMap<>();
  private long lastId;
  private long created = 1;

  OutboxRow add(String type, @Nullable String key, int bytes) {
    lastId++;
    OutboxRow row =
        new OutboxRow(
            lastId,
            Math.floorMod(Objects.hashCode(key), EngineRun.LANES),
            created == 1 ? "e" + lastId : "e" + lastId + "-" + created,
            type,
            1,
            key == null ? null : new EventKey("order", key),
            "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII),
            "text/plain",
            null,
            null,
            null,
            null,
            created,
            created + 1,
            false);
    known.put(lastId, row);
    return row;
  }

  /** As somebody changed it, or another one that has its number. */
  static OutboxRow like(OutboxRow row, Object id, String eventId, EventKey key, byte[] payload) {
    return copy(row, id, eventId, key, payload, payload.length);
  }

  /** Larger than the relay reads. */
  static OutboxRow unread(OutboxRow row, long bytes) {
    return copy(row, row.rowId(), row.eventId(), Objects.requireNonNull(row.key()), null, bytes);
  }

  private static OutboxRow copy(
      OutboxRow row,
      Object id,
      String eventId,
      EventKey key,
      byte @Nullable [] payload,
      long bytes) {
    return new OutboxRow(
        id,
        Math.floorMod(key.aggregateId().hashCode(), EngineRun.LANES),
        eventId,
        row.eventType(),
        row.eventVersion(),
        key,
        payload,
        row.contentType(),
        null,
        null,
        null,
        null,
        row.createdAtMicros(),
        row.readAtMicros(),
        row.replay(),
        bytes,
        payload != null,
        row.sends());
  }

  /** Somebody has emptied the table: the next row has the id of the first one. */
  void idsBeginAgain() {
    lastId = 0;
    created++;
  }

  /** What the next looks at a row show. */
  void stands(OutboxRow row, EventState state) {
    known.put(row.rowId(), row);
    states.put(row.rowId(), state);
  }

  void failed(FailedRow failed) {
    states.put(failed.row().rowId(), EventState.valueOf(failed.state().name()));
  }

  RowLook look(RowRef ref) {
    OutboxRow row = known.get(ref.rowId());
    if (row == null || !row.ref().equals(ref)) {
      return new RowLook(ref, null, EventState.GONE);
    }
    EventState state = states.getOrDefault(ref.rowId(), EventState.PENDING);
    return new RowLook(ref, state == EventState.GONE ? null : row, state);
  }
}

package io.waybill.internal.jdbc.window;

import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.internal.jdbc.kernel.TextCache;
import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Makes rows of the columns that the reader's statements select. Used by one thread. */
final class RowDecoder {
  /** Column of the row's id; the first column is the header's. */
  static final int ID = 2;

  /** First column behind those of the row. */
  static final int END = 17;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  // PostgreSQL counts from the year 2000.
  private static final long EPOCH_MICROS = 946_684_800_000_000L;

  private final RowBound bound;
  private final TextCache cache = new TextCache();

  RowDecoder(RowBound bound) {
    this.bound = bound;
  }

  OutboxRow decode(ResultSet result, long readAtMicros, boolean replay) throws SQLException {
    long bytes = result.getLong(16);
    EventKey key = key(result.getBytes(8), result.getBytes(9));
    String eventType = cache.text(result.getBytes(7));
    String contentType = cache.text(result.getBytes(10));
    String correlationId = text(result.getBytes(11));
    String causationId = text(result.getBytes(12));
    String traceparent = text(result.getBytes(13));
    boolean whole =
        bound.fits(bytes, eventType, contentType, correlationId, causationId, traceparent)
            && (key == null || bound.fits(bytes, key.aggregateType(), key.aggregateId()));
    return new OutboxRow(
        result.getLong(ID),
        result.getInt(5),
        new String(result.getBytes(6), StandardCharsets.UTF_8),
        eventType,
        result.getInt(4),
        key,
        whole ? result.getBytes(15) : null,
        contentType,
        whole ? text(result.getBytes(14)) : null,
        correlationId,
        causationId,
        traceparent,
        createdAtMicros((long) LONG.get(result.getBytes(3), 0)),
        readAtMicros,
        replay,
        bytes,
        whole,
        0);
  }

  private @Nullable EventKey key(byte @Nullable [] type, byte @Nullable [] id) {
    return type == null || id == null ? null : new EventKey(cache.text(type), cache.text(id));
  }

  private static @Nullable String text(byte @Nullable [] utf8) {
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }

  /** Infinity, which the largest and the smallest number stand for, counts as the epoch's begin. */
  private static long createdAtMicros(long sent) {
    return sent == Long.MAX_VALUE || sent == Long.MIN_VALUE ? 0 : sent + EPOCH_MICROS;
  }
}

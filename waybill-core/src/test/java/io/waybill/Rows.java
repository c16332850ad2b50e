package io.waybill;

import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Rows for tests of what happens to them. */
public record Rows(OutboxRow row) {
  public static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  // 2026-11-20T12:37:13.000042Z
  public static final long CREATED_MICROS = 1_795_178_233_000_042L;

  /** An event of order 42 with all its fields but headers. */
  public static Rows placed() {
    return new Rows(
        new OutboxRow(
            7L,
            3,
            "e-1",
            "order.placed",
            2,
            new EventKey("Order", "42"),
            "{\"total\":1.10}".getBytes(StandardCharsets.UTF_8),
            "application/json",
            null,
            "corr-1",
            "cause-1",
            TRACE,
            CREATED_MICROS,
            CREATED_MICROS + 5,
            false));
  }

  public Rows type(String type) {
    return with(type, row.key(), row.payload(), row.contentType(), row.headersJson());
  }

  public Rows version(int version) {
    return new Rows(
        new OutboxRow(
            row.rowId(),
            row.lane(),
            row.eventId(),
            row.eventType(),
            version,
            row.key(),
            row.payload(),
            row.contentType(),
            row.headersJson(),
            row.correlationId(),
            row.causationId(),
            row.traceparent(),
            row.createdAtMicros(),
            row.readAtMicros(),
            row.replay()));
  }

  public Rows key(@Nullable EventKey key) {
    return with(row.eventType(), key, row.payload(), row.contentType(), row.headersJson());
  }

  public Rows payload(byte @Nullable [] payload, String contentType) {
    return with(row.eventType(), row.key(), payload, contentType, row.headersJson());
  }

  public Rows json(String json) {
    return payload(json.getBytes(StandardCharsets.UTF_8), "application/json");
  }

  public Rows headers(@Nullable String json) {
    return with(row.eventType(), row.key(), row.payload(), row.contentType(), json);
  }

  /** Larger than the relay reads. */
  public static OutboxRow unread(OutboxRow row, long bytes) {
    return new OutboxRow(
        row.rowId(),
        row.lane(),
        row.eventId(),
        row.eventType(),
        row.eventVersion(),
        row.key(),
        null,
        row.contentType(),
        null,
        row.correlationId(),
        row.causationId(),
        row.traceparent(),
        row.createdAtMicros(),
        row.readAtMicros(),
        row.replay(),
        bytes,
        false,
        row.sends());
  }

  /** Without correlation, causation and trace. */
  public Rows bare() {
    return new Rows(
        new OutboxRow(
            row.rowId(),
            row.lane(),
            row.eventId(),
            row.eventType(),
            row.eventVersion(),
            row.key(),
            row.payload(),
            row.contentType(),
            row.headersJson(),
            null,
            null,
            null,
            row.createdAtMicros(),
            row.readAtMicros(),
            true));
  }

  private Rows with(
      String type,
      @Nullable EventKey key,
      byte @Nullable [] payload,
      String contentType,
      @Nullable String headers) {
    return new Rows(
        new OutboxRow(
            row.rowId(),
            row.lane(),
            row.eventId(),
            type,
            row.eventVersion(),
            key,
            payload,
            contentType,
            headers,
            row.correlationId(),
            row.causationId(),
            row.traceparent(),
            row.createdAtMicros(),
            row.readAtMicros(),
            row.replay()));
  }
}

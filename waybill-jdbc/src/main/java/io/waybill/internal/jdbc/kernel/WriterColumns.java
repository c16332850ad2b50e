package io.waybill.internal.jdbc.kernel;

import java.util.List;

/** The columns of Waybill's own outbox that a writer fills; the others are the database's own. */
public final class WriterColumns {
  /** Without the time until which an event is delayed. */
  public static final List<String> OF_CONTENT =
      List.of(
          "event_id",
          "event_type",
          "event_version",
          "aggregate_type",
          "aggregate_id",
          "payload",
          "content_type",
          "headers",
          "correlation_id",
          "causation_id",
          "traceparent");

  private WriterColumns() {}
}

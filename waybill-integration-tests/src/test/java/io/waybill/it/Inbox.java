package io.waybill.it;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages of one destination, each taken once. */
interface Inbox extends AutoCloseable {
  /** Names of what every message carries, beside the event's own headers. */
  String ID = "waybill-event-id";

  /**
   * A message as a consumer sees it.
   *
   * @param body its bytes, null for a tombstone
   * @param headers header texts
   */
  record Arrived(byte @Nullable [] body, Map<String, String> headers) {}

  /** What has come since the last call. */
  List<Arrived> take();

  @Override
  void close();
}

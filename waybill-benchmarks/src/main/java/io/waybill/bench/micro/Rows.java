package io.waybill.bench.micro;

import io.waybill.bench.load.Payloads;
import io.waybill.message.EventIds;
import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import java.util.List;

/** Rows as a reader returns them: 1 KB of JSON, 1,000 keys in turn. */
final class Rows {
  private static final int KEYS = 1000;
  private static final long CREATED_MICROS = 1_700_000_000_000_000L;

  private final List<byte[]> payloads = Payloads.templates();
  private long last;

  OutboxRow next() {
    long id = ++last;
    int key = (int) (id % KEYS);
    return new OutboxRow(
        id,
        key % EngineDriver.LANES,
        EventIds.system().next(),
        "order.placed",
        1,
        new EventKey("order", Integer.toString(key)),
        payloads.get((int) (id % payloads.size())),
        "application/json",
        null,
        null,
        null,
        null,
        CREATED_MICROS + id,
        CREATED_MICROS + id + 1000,
        false);
  }
}

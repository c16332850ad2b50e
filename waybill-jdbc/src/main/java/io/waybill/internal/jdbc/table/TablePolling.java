package io.waybill.internal.jdbc.table;

import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.store.Polling;
import java.time.Duration;

/** The polling of the presets, as in their documents. */
public final class TablePolling {
  private static final int DOCUMENTED_BATCH = 100;

  private TablePolling() {}

  /**
   * The default for a layout.
   *
   * @param layout the layout, in a table of any name
   * @return as documented for a preset, otherwise adaptive
   */
  public static Polling of(Layout layout) {
    if (has(layout, Layouts.NOTIFICATION)) {
      return Polling.fixedDelay(Duration.ofSeconds(1))
          .initialDelay(Duration.ofSeconds(2))
          .batch(DOCUMENTED_BATCH);
    }
    if (has(layout, Layouts.WALLET)) {
      return Polling.fixedRate(Duration.ofSeconds(5));
    }
    if (has(layout, Layouts.POLYSHOP)) {
      return Polling.adaptive().batch(DOCUMENTED_BATCH);
    }
    return Polling.adaptive();
  }

  /** A preset stays itself in a table of another name, and with or without a record. */
  private static boolean has(Layout layout, Layout preset) {
    return preset.table(layout.table()).record(null).equals(layout.record(null));
  }
}

package io.waybill.internal.jdbc.kernel;

import io.waybill.store.OperatorRequest;
import io.waybill.store.OutboxRow;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Reads requests page by page, one a call, and then from the first again: requests that wait for
 * others must not hide later ones. Used by one thread.
 */
public final class RequestPages {
  /** Bytes of rows after which a page ends. */
  public static final long BYTES = 16L << 20;

  private long after;

  /**
   * The next page.
   *
   * @param most requests of a whole page
   * @param pages from an id to the requests behind it
   */
  public List<OperatorRequest> next(int most, LongFunction<List<OperatorRequest>> pages) {
    List<OperatorRequest> page = pages.apply(after);
    if (page.isEmpty() && after > 0) {
      page = pages.apply(0);
    }
    boolean cut = page.size() >= most || bytes(page) >= BYTES;
    after = cut ? page.get(page.size() - 1).requestId() : 0;
    return page;
  }

  private static long bytes(List<OperatorRequest> page) {
    long bytes = 0;
    for (OperatorRequest request : page) {
      OutboxRow row = request.row();
      bytes += row == null ? 0 : row.readBytes();
    }
    return bytes;
  }
}

package io.waybill.demo;

import java.util.List;

/**
 * What the order service has done.
 *
 * @param committed events that were committed
 * @param rolledBack events that were rolled back
 */
record ShopProgress(long committed, long rolledBack) {
  private static final String PREFIX = "progress ";

  String line() {
    return PREFIX + committed + " " + rolledBack;
  }

  /** The last progress among printed lines. */
  static ShopProgress last(List<String> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).startsWith(PREFIX)) {
        String[] parts = lines.get(i).split(" ", -1);
        return new ShopProgress(Long.parseLong(parts[1]), Long.parseLong(parts[2]));
      }
    }
    return new ShopProgress(0, 0);
  }
}

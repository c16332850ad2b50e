package io.waybill.internal.jdbc.table;

import io.waybill.store.FailedRow;

/** What an error column shows of a failure. */
final class ErrorColumn {
  /** Most characters. */
  private static final int MAX_CHARS = TableStore.MAX_ERROR_CHARS;

  private ErrorColumn() {}

  /**
   * An application's column is shorter than ours, and a failure that does not fit stops the table.
   */
  static String of(FailedRow row) {
    String text = row.reason() + ": " + row.detail();
    if (text.length() <= MAX_CHARS) {
      return text;
    }
    boolean pair = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1));
    return text.substring(0, pair ? MAX_CHARS - 1 : MAX_CHARS);
  }
}

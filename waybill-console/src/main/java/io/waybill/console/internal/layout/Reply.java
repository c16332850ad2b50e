package io.waybill.console.internal.layout;

import java.util.Iterator;

/** What a page answers. */
public sealed interface Reply permits View, Reply.Next, Reply.Lines {
  /**
   * Another page, which can be shared and loaded again.
   *
   * @param link its address, relative to that of the form
   */
  record Next(String link) implements Reply {}

  /**
   * A file with a line of JSON for each item, which are found while it is sent.
   *
   * @param file its name
   * @param each the items
   */
  record Lines(String file, Iterator<?> each) implements Reply {}
}

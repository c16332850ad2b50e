package io.waybill.console.internal.layout;

/** What follows a form. */
public sealed interface Reply permits View, Reply.Next {
  /**
   * Another page, which can be shared and loaded again.
   *
   * @param link its address, relative to that of the form
   */
  record Next(String link) implements Reply {}
}

package io.waybill.database;

/** What happens to a row of the outbox once the broker has confirmed it. */
public enum OnPublished {
  /** The row is deleted. */
  DELETE,
  /** The row stays, with the time of its publishing, until retention removes it. */
  KEEP
}

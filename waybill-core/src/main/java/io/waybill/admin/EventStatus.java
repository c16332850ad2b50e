package io.waybill.admin;

/** The status of an event. */
public enum EventStatus {
  /** Waits to be published, for whatever reason. */
  PENDING,
  /** Published and kept. */
  PUBLISHED,
  /** Waits for an operator; its key waits behind it. */
  PARKED,
  /** Dead: not tried again; the events of its key that follow are published. */
  DEAD
}

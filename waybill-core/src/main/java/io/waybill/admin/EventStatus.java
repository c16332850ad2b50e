package io.waybill.admin;

/** Where an event stands. */
public enum EventStatus {
  /** Waits to be published, whatever for. */
  PENDING,
  /** Published and kept. */
  PUBLISHED,
  /** Waits for an operator; its key waits behind it. */
  PARKED,
  /** Given up; its key has gone on. */
  DEAD
}

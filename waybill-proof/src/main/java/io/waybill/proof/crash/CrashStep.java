package io.waybill.proof.crash;

/**
 * Where a relay can die. Before: nothing has been done yet. After: it has been carried out, in the
 * database durably, and the relay has not seen the answer.
 */
public enum CrashStep {
  /** A session is about to begin. */
  BEFORE_JOIN(1),
  /** A session has begun. */
  AFTER_JOIN(1),
  /** The lanes are about to be looked at, and dead sessions fenced. */
  BEFORE_VIEW(2),
  /** The lanes were looked at. */
  AFTER_VIEW(2),
  /** Lanes are about to be taken. */
  BEFORE_ACQUIRE(1),
  /** Lanes were taken. */
  AFTER_ACQUIRE(1),
  /** The lease is about to be prolonged. */
  BEFORE_RENEW(2),
  /** The lease was prolonged. */
  AFTER_RENEW(2),
  /** Lanes are about to be given back to another relay. */
  BEFORE_RELEASE(1),
  /** Lanes were given back. */
  AFTER_RELEASE(1),
  /** The session is about to end in order. */
  BEFORE_LEAVE(1),
  /** The session has ended. */
  AFTER_LEAVE(1),
  /** Blocked keys of new lanes are about to be read. */
  BEFORE_ASSIGN(1),
  /** Blocked keys of new lanes were read. */
  AFTER_ASSIGN(1),
  /** Rows are about to be read. */
  BEFORE_READ(3),
  /** At least one row was read. */
  AFTER_READ(3),
  /** Held rows of a freed key are about to be read. */
  BEFORE_READ_HELD(1),
  /** Held rows were read. */
  AFTER_READ_HELD(1),
  /** A message is about to be handed to the publisher. */
  BEFORE_SEND(50),
  /** A message was handed over. */
  AFTER_SEND(50),
  /** A burst was handed over. */
  AFTER_FLUSH(2),
  /** The broker has confirmed a message, and the relay is about to be told. */
  BEFORE_CONFIRM(50),
  /** The relay was told. */
  AFTER_CONFIRM(50),
  /** Confirmed rows are about to be marked. */
  BEFORE_MARK(2),
  /** They were marked. */
  AFTER_MARK(2),
  /** A row is about to be set down for another attempt. */
  BEFORE_RETRY(1),
  /** It was set down. */
  AFTER_RETRY(1),
  /** A row is about to be parked. */
  BEFORE_PARK(1),
  /** It was parked. */
  AFTER_PARK(1),
  /** A row is about to be held behind a parked one. */
  BEFORE_HOLD(1),
  /** It is held. */
  AFTER_HOLD(1),
  /** A row with a failure or a hold on record is about to be marked as published. */
  BEFORE_RECOVER(1),
  /** It was marked. */
  AFTER_RECOVER(1),
  /** An operator's request is about to be answered. */
  BEFORE_REQUEST(1),
  /** It was answered. */
  AFTER_REQUEST(1);

  private final int times;

  CrashStep(int times) {
    this.times = times;
  }

  /**
   * At which time a relay dies: late enough that it is in the middle of its work.
   *
   * @return how often the step is reached, from 1
   */
  public int times() {
    return times;
  }

  /** The step after what this one is before. */
  CrashStep after() {
    return valueOf(name().replaceFirst("^BEFORE_", "AFTER_"));
  }
}

package io.waybill.store;

/**
 * A destination that takes no events from a relay at present. What an operator has paused is none.
 *
 * @param destination its name; an exchange or topic and {@code /*} for many of its keys together,
 *     and {@link #BROKER} for the whole broker
 * @param reason class of the last failure
 * @param detail one sentence about it
 * @param forMillis for how long so far
 */
public record FailingDestination(String destination, String reason, String detail, long forMillis) {
  /** The name that stands for the whole broker. */
  public static final String BROKER = "*";
}

package io.waybill.proof.proxy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that the proxy did.
 *
 * @param at when, by the clock of the machine
 * @param nanos when, by {@link System#nanoTime} of this JVM
 * @param what the rule, or the toxic or command with a verb
 * @param rule the rule, null if it was not one
 * @param connection number of the connection, from 1; 0 if all
 * @param direction where the frame went, null if both
 * @param frame the protocol's name of the frame, empty if none
 */
public record Fired(
    Instant at,
    long nanos,
    String what,
    @Nullable Rule rule,
    int connection,
    @Nullable Direction direction,
    String frame) {

  static Fired rule(Rule rule, int connection, Direction direction, String frame) {
    return new Fired(
        Instant.now(), System.nanoTime(), rule.toString(), rule, connection, direction, frame);
  }

  static Fired command(String what, @Nullable Direction direction) {
    return new Fired(Instant.now(), System.nanoTime(), what, null, 0, direction, "");
  }
}

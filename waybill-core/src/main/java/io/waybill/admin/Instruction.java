package io.waybill.admin;

/**
 * Who asks for a change, and why; kept in the audit table.
 *
 * @param by name of the person or program, as claimed, not blank; the database also records the
 *     user of the session
 * @param reason why, not blank
 */
public record Instruction(String by, String reason) {
  /** Checks that both are given. */
  public Instruction {
    if (by.isBlank()) {
      throw new IllegalArgumentException("An instruction needs the name of its author");
    }
    if (reason.isBlank()) {
      throw new IllegalArgumentException("An instruction needs a reason");
    }
  }
}

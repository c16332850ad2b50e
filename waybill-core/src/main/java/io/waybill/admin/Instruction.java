package io.waybill.admin;

/**
 * Who asks for a change, and why; kept in the audit table.
 *
 * @param by name of the person or program, as it is claimed, not blank; beside it the database
 *     notes as whom the session is logged in
 * @param reason why, not blank
 */
public record Instruction(String by, String reason) {
  /** Checks that both are given. */
  public Instruction {
    if (by.isBlank()) {
      throw new IllegalArgumentException("An instruction needs the name of who gives it");
    }
    if (reason.isBlank()) {
      throw new IllegalArgumentException("An instruction needs a reason");
    }
  }
}

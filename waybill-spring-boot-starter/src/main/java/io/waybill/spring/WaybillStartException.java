package io.waybill.spring;

import org.jspecify.annotations.Nullable;

/** The application cannot start with Waybill as it is set up. Reported without a stack trace. */
public class WaybillStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String action;

  /**
   * Describes the problem and its fix.
   *
   * @param description what is wrong: the thing, the rule, the value
   * @param action how to fix it
   * @param cause why, or null
   */
  public WaybillStartException(String description, String action, @Nullable Throwable cause) {
    super(description, cause);
    this.action = action;
  }

  /**
   * Describes the fix.
   *
   * @return sentences for people
   */
  public String action() {
    return action;
  }
}

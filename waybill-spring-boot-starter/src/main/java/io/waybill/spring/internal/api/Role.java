package io.waybill.spring.internal.api;

/** What somebody may do; each includes those before it. */
public enum Role {
  /** Looks at everything but payloads. */
  VIEWER,
  /** Also asks for changes of events and destinations. */
  OPERATOR,
  /** Also sees payloads, and does what cannot be undone. */
  ADMINISTRATOR;

  private static final String PREFIX = "WAYBILL_";

  /**
   * Its name in Spring Security, without the prefix of roles.
   *
   * @return for all outboxes
   */
  public String role() {
    return PREFIX + name();
  }

  /**
   * Its name for one outbox alone.
   *
   * @param outbox name of the outbox
   * @return the name for all outboxes, an underscore and the outbox
   */
  public String role(String outbox) {
    return role() + "_" + outbox;
  }
}

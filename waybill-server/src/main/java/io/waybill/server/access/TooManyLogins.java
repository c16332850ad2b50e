package io.waybill.server.access;

import org.springframework.security.core.AuthenticationException;

/** A password that was not looked at, since too many before it were wrong. */
public final class TooManyLogins extends AuthenticationException {
  private static final long serialVersionUID = 1L;

  private final long seconds;

  TooManyLogins(long seconds) {
    super("too many wrong passwords");
    this.seconds = seconds;
  }

  /**
   * When to try again.
   *
   * @return seconds from now on
   */
  public long seconds() {
    return seconds;
  }
}

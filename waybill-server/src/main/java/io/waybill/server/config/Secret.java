package io.waybill.server.config;

import java.util.Objects;

/** A value that nobody may print: its {@link #toString} is {@code ***}. */
public final class Secret {
  private final String value;

  /**
   * Wraps a value.
   *
   * @param value the secret itself
   */
  public Secret(String value) {
    this.value = Objects.requireNonNull(value, "value");
  }

  /**
   * The secret itself, to hand to the driver or client that needs it.
   *
   * @return the value
   */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.value.equals(value);
  }

  @Override
  public int hashCode() {
    return Secret.class.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}

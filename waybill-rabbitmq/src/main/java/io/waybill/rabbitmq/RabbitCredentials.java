package io.waybill.rabbitmq;

import java.util.Objects;

/** How a client authenticates. */
public sealed interface RabbitCredentials {
  /**
   * SASL PLAIN.
   *
   * @param username user name
   * @param password password, never logged
   */
  record Password(String username, String password) implements RabbitCredentials {
    /** Checks that both parts are given. */
    public Password {
      Objects.requireNonNull(username, "username");
      Objects.requireNonNull(password, "password");
    }

    @Override
    public String toString() {
      return "Password[username=" + username + ", password=***]";
    }
  }

  /** SASL EXTERNAL: the client certificate names the user. Needs TLS with a key store. */
  record Certificate() implements RabbitCredentials {}
}

package io.waybill.rabbitmq;

import io.waybill.internal.text.Loopback;
import java.util.List;
import java.util.Optional;

/** Finds settings that send a password to another machine in plaintext. */
final class PlaintextPasswords {
  private static final String UNLESS = "; allowPlaintextPasswords allows it";

  private PlaintextPasswords() {}

  /** What is wrong with a connection, in one sentence; empty if nothing is. */
  static Optional<String> of(RabbitPublisherConfig config) {
    boolean isSent =
        config.credentials() instanceof RabbitCredentials.Password
            && config.tls() == null
            && !config.allowPlaintextPasswords();
    List<String> others =
        config.addresses().stream().filter(address -> !Loopback.isAddress(address)).toList();
    return isSent && !others.isEmpty()
        ? Optional.of(
            "tls must be set, or the password would go to %s in plaintext%s"
                .formatted(String.join(", ", others), UNLESS))
        : Optional.empty();
  }

  /**
   * Refuses a management API whose password would be read on the way.
   *
   * @throws IllegalArgumentException when it is on another machine and without TLS
   */
  static void check(RabbitManagement management, RabbitPublisherConfig config) {
    boolean isOpen = "http".equals(management.url().getScheme());
    if (isOpen
        && !Loopback.isHost(management.url().getHost())
        && !config.allowPlaintextPasswords()) {
      throw new IllegalArgumentException(
          "management-url must be https://, or the password would go to %s in plaintext%s"
              .formatted(management.url().getHost(), UNLESS));
    }
  }
}

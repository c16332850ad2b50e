package io.waybill.rabbitmq;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Whether letters get lost by looking at them: before RabbitMQ 4.3 a quorum queue counts what was
 * read and given back as a failed delivery, and drops or moves what has failed too often. Not
 * thread-safe.
 */
final class DeliveryCountGuard {
  // Half of the limit that a newer broker has by itself: some looks are left for the mending.
  private static final int MOST_UNSEEN = DeliveryLimit.DEFAULT / 2;

  private final String queue;
  private final OptionalInt limit;
  private final boolean isDefault;
  private final boolean isGuessed;
  private int deliveries;

  /**
   * Begins.
   *
   * @param queue name of the queue
   * @param seen what the management API says about it, or null if there is no access to it
   * @param version of the broker
   */
  DeliveryCountGuard(String queue, @Nullable JsonValue seen, String version) {
    this.queue = queue;
    boolean counts = DeliveryLimit.countsReturns(version);
    this.limit = seen == null || !counts ? OptionalInt.empty() : DeliveryLimit.of(seen, version);
    this.isDefault = DeliveryLimit.isDefault(version);
    this.isGuessed = seen == null && isDefault && counts;
  }

  /**
   * A letter was read.
   *
   * @param count how often it was delivered, this time included; 0 if that is unknown
   */
  void saw(int count) {
    deliveries = Math.max(deliveries, count);
  }

  /** Why a look may lose letters, with what mends it; empty if nothing is known of that. */
  Optional<String> tell() {
    String remedy =
        isDefault
            ? "; set delivery-limit to -1 in a policy for it"
            : "; remove delivery-limit from its policy, or declare it again without one";
    if (limit.isPresent()) {
      return Optional.of(
          ("Queue '%s' has a delivery limit of %d: it drops or moves dead letters that are read"
                  + " more often%s")
              .formatted(queue, limit.getAsInt(), remedy));
    }
    if (isGuessed && deliveries > MOST_UNSEEN) {
      return Optional.of(
          ("A dead letter in queue '%s' was delivered %d times; each read counts, and RabbitMQ 4"
                      + " drops it")
                  .formatted(queue, deliveries)
              + " after %d if the queue sets no other limit, which Waybill can't see without"
                  .formatted(DeliveryLimit.DEFAULT)
              + " management-url"
              + remedy);
    }
    return Optional.empty();
  }
}

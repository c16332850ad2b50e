package io.waybill.policy;

import io.waybill.message.Destination;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happens to an event whose attempts are used up, and to its key. */
public sealed interface FailurePolicy {
  /**
   * For how long the event's destination may refuse everything before its events are parked or
   * declared dead. A destination refuses if its queue is full, nothing is bound, the topic or
   * exchange is missing, or access is denied. Each relay counts from the first refusal that it
   * meets. A destination that does not answer never has this effect, however long that lasts.
   *
   * @return the time, or null (the default) to wait as long as it takes
   */
  @Nullable Duration giveUpAfter();

  /**
   * The destination of a dead event's copy.
   *
   * @return the destination; empty if none is sent
   */
  default Optional<Destination> deadLetterDestination() {
    return Optional.empty();
  }

  /**
   * Park the event; its key waits until an operator retries, skips or buries it.
   *
   * @param giveUpAfter see {@link #giveUpAfter()}
   */
  record Park(@Nullable Duration giveUpAfter) implements FailurePolicy {
    /** Checks the time. */
    public Park {
      check(giveUpAfter);
    }

    /** Creates the policy that waits as long as it takes for destinations that refuse. */
    public Park() {
      this(null);
    }
  }

  /**
   * Declare the event dead and let its key continue.
   *
   * @param deadLetter destination of a copy that is sent first, or null for none
   * @param giveUpAfter see {@link #giveUpAfter()}
   */
  record Bury(@Nullable Destination deadLetter, @Nullable Duration giveUpAfter)
      implements FailurePolicy {
    /** Checks the time. */
    public Bury {
      check(giveUpAfter);
    }

    @Override
    public Optional<Destination> deadLetterDestination() {
      return Optional.ofNullable(deadLetter);
    }

    /**
     * Creates the policy that waits as long as it takes for destinations that refuse.
     *
     * @param deadLetter destination of a copy that is sent first, or null for none
     */
    public Bury(@Nullable Destination deadLetter) {
      this(deadLetter, null);
    }
  }

  private static void check(@Nullable Duration giveUpAfter) {
    if (giveUpAfter != null && (giveUpAfter.isNegative() || giveUpAfter.isZero())) {
      throw new IllegalArgumentException("giveUpAfter must be above 0, is " + giveUpAfter);
    }
  }
}

package io.waybill.relay;

import io.waybill.message.Destination;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What happens to an event whose attempts are used up, and to its key. */
public sealed interface FailurePolicy {
  /**
   * For how long the event's destination may refuse everything before events for it are given up:
   * queue full, nothing bound, topic or exchange missing, not allowed. Counted by each relay from
   * the first refusal that it meets. Silence gives no event up, however long it lasts.
   *
   * @return the time, or null (the default) to wait as long as it takes
   */
  @Nullable Duration giveUpAfter();

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

    /** Waits as long as it takes for destinations that refuse. */
    public Park() {
      this(null);
    }
  }

  /**
   * Give the event up and let its key go on.
   *
   * @param deadLetter where a copy goes first, or null for none
   * @param giveUpAfter see {@link #giveUpAfter()}
   */
  record Bury(@Nullable Destination deadLetter, @Nullable Duration giveUpAfter)
      implements FailurePolicy {
    /** Checks the time. */
    public Bury {
      check(giveUpAfter);
    }

    /**
     * Waits as long as it takes for destinations that refuse.
     *
     * @param deadLetter where a copy goes first, or null for none
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

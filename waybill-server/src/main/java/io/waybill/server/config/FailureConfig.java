package io.waybill.server.config;

import io.waybill.message.Destination;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to an event whose attempts are used up.
 *
 * @param policy what becomes of it and its key
 * @param deadLetter where a buried event goes first, null for nowhere
 * @param giveUpAfter for how long its destination may refuse everything, null for ever
 */
public record FailureConfig(
    Policy policy, @Nullable Destination deadLetter, @Nullable Duration giveUpAfter) {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** What becomes of event and key. */
  public enum Policy {
    /** The event and its key wait for an operator. */
    PARK,
    /** The event is dead and its key goes on. */
    BURY
  }

  static FailureConfig read(Section section, Policy usual) {
    Policy policy = section.choice("policy", Policy.class, usual);
    Destination deadLetter = null;
    if (section.has("dead-letter")) {
      Section target = section.section("dead-letter");
      deadLetter = new Destination(target.text("target", ""), target.text("routing-key", ""), null);
      if (deadLetter.name().isEmpty()) {
        target.problem("target", "must be given");
      }
      target.done();
      if (policy == Policy.PARK) {
        section.problem("dead-letter", "needs policy: bury");
      }
    }
    Duration giveUpAfter =
        section.has("give-up-after")
            ? section.duration("give-up-after", LONGEST, SHORTEST, LONGEST)
            : null;
    section.done();
    return new FailureConfig(policy, deadLetter, giveUpAfter);
  }
}

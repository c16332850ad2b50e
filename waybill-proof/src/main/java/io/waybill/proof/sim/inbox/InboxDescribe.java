package io.waybill.proof.sim.inbox;

import io.waybill.broker.Delivery;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.observe.InboxEvent;
import io.waybill.proof.sim.seed.Violation;
import java.util.List;

/** What happens in a run of inboxes, as text and as counts. */
final class InboxDescribe {
  /** Why the database does not take the values of one statement. */
  static final String REFUSED = "values refused";

  private InboxDescribe() {}

  static String input(InboxInput input) {
    return input instanceof InboxInput.Delivered in
        ? "delivered " + numbers(in.messages().stream().map(m -> m.delivery()).toList())
        : input.toString();
  }

  static String effect(InboxEffect effect) {
    if (effect instanceof InboxEffect.Acknowledge acknowledge) {
      return "acknowledge " + numbers(acknowledge.deliveries());
    }
    if (effect instanceof InboxEffect.Release back) {
      return "give back " + numbers(back.deliveries());
    }
    return effect.toString();
  }

  private static List<String> numbers(List<Delivery> deliveries) {
    return deliveries.stream()
        .map(d -> d.lane() + "@" + d.position() + "=e" + d.headers().get("number"))
        .toList();
  }

  static void notice(InboxWorld world, String consumer, InboxEvent event) {
    if (event instanceof InboxEvent.Handled handled) {
      handled(world, consumer, handled);
    } else if (event instanceof InboxEvent.Duplicate) {
      world.rare(InboxRare.DUPLICATE_DROPPED);
    } else if (event instanceof InboxEvent.Ignored ignored) {
      world.rare(InboxRare.IGNORED);
    } else if (event instanceof InboxEvent.PassedOver) {
      world.rare(InboxRare.PASSED_OVER);
    } else if (event instanceof InboxEvent.Deferred deferred) {
      world.rare(deferred.attempts() == 0 ? InboxRare.DEFERRED_BEHIND : InboxRare.DEFER);
    } else if (event instanceof InboxEvent.DeadLettered dead) {
      world.rare(InboxRare.DEAD_LETTERED);
      dead(world, dead);
    } else if (event instanceof InboxEvent.DeadLetterFailed) {
      world.rare(InboxRare.DEAD_LETTER_FAILED);
    } else if (event instanceof InboxEvent.Refused) {
      world.rare(InboxRare.REFUSED);
    } else if (event instanceof InboxEvent.StoreFailed failed) {
      if (failed.reason().equals(REFUSED)) {
        throw new Violation("what one event is refused", "holds up " + consumer);
      }
    } else if (event instanceof InboxEvent.StoreRecovered) {
      world.rare(InboxRare.STORE_RECOVERED);
    }
  }

  private static void handled(InboxWorld world, String consumer, InboxEvent.Handled handled) {
    InboxMessage message = world.message(handled.about().eventId(), consumer);
    int tries = world.ledger.entry(consumer, message).tries;
    int quick = world.swarm.settings.quickRetries().attemptLimit();
    if (tries > 1 && tries <= quick) {
      world.rare(InboxRare.QUICK_RETRY_SUCCEEDED);
    } else if (tries > quick && message.bulky) {
      world.rare(InboxRare.HANDLED_WITHOUT_DEFERRAL);
    }
  }

  private static void dead(InboxWorld world, InboxEvent.DeadLettered dead) {
    switch (dead.reason()) {
      case "killed-the-process" -> world.rare(InboxRare.KILLER_BURIED);
      case "attempts-exhausted" -> world.rare(InboxRare.ATTEMPTS_EXHAUSTED);
      case "unknown-type" -> world.rare(InboxRare.UNKNOWN_TYPE_BURIED);
      case "redriven-for-another" -> world.rare(InboxRare.REDRIVEN_BURIED);
      case "no-event-id" -> world.rare(InboxRare.UNDECODABLE_BURIED);
      default -> {}
    }
  }
}

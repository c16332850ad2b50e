package io.waybill.proof.sim.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.DeadLetterForm;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Payload;
import io.waybill.proof.sim.seed.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The publisher of dead letters of one process. */
final class InboxDeadLetters {
  static final String REASON = "reason";

  private final InboxProcess process;
  private final InboxWorld world;

  InboxDeadLetters(InboxProcess process) {
    this.process = process;
    this.world = process.world;
  }

  /** What the engine sends for a message that is given up. */
  static Outgoing letter(
      DeadLetterEncoder.Original original,
      String reason,
      String error,
      DeadLetterForm form,
      long sendId) {
    List<Header> headers = new ArrayList<>(original.headers().list());
    headers.add(new Header(REASON, reason));
    return new Outgoing(
        sendId,
        Destination.topic(DeadLetter.nameOf(original.source())),
        original.key(),
        original.body(),
        Payload.JSON,
        "",
        "",
        0,
        headers);
  }

  void send(Outgoing letter) {
    InboxMessage message = world.messages.get(Integer.parseInt(header(letter, "number")));
    String reason = header(letter, REASON);
    String wrong = world.ledger.verdict(world.ledger.entry(process.consumer, message), reason);
    if (wrong != null) {
      throw new Violation("only the dead get letters", message + " " + reason + " but " + wrong);
    }
    if (!world.mutation.awaitsLetters()) {
      process.post(new InboxInput.DeadLetterOutcome(new Confirmation.Confirmed(letter.sendId())));
    }
    Confirmation outcome = outcome(message, letter.sendId());
    boolean stored =
        outcome instanceof Confirmation.Confirmed
            || (outcome instanceof Confirmation.Unknown && world.dice.chance(0.5));
    world.time.after(world.dice.micros(100, 5_000), () -> arrive(message, reason, outcome, stored));
  }

  private Confirmation outcome(InboxMessage message, long sendId) {
    if (message.handling.refused() == InboxMessage.Refused.LETTER && !world.healed()) {
      world.rare(InboxRare.LETTER_REFUSED_FOR_LONG);
      return new Confirmation.Rejected(sendId, "refused", "planned");
    }
    if (world.strikes(world.swarm.broker.letterLost())) {
      world.fault(InboxFault.LETTER_LOST);
      return new Confirmation.Unknown(sendId, "lost", "planned");
    }
    if (world.strikes(world.swarm.broker.letterRefused())) {
      world.fault(InboxFault.LETTER_REFUSED);
      // Of what is rejected for itself a smaller letter goes out at once.
      return world.dice.chance(0.5)
          ? new Confirmation.Rejected(sendId, "rejected", "planned")
          : new Confirmation.Refused(sendId, "refused", "planned", false);
    }
    return new Confirmation.Confirmed(sendId);
  }

  private void arrive(InboxMessage message, String reason, Confirmation outcome, boolean stored) {
    if (stored) {
      world.ledger.letter(process.consumer, message);
      world.trace.line(() -> "letter of " + message + " stored: " + reason);
      if (outcome instanceof Confirmation.Unknown) {
        world.rare(InboxRare.LETTER_STORED_UNCONFIRMED);
      }
      boolean isMended =
          message.kind == InboxMessage.Kind.PERMANENT || message.kind == InboxMessage.Kind.FLAKY;
      boolean isFirst = message.original == null && message.redrivenFor == null;
      if (isMended && isFirst && world.strikes(world.swarm.redrives)) {
        world.redrive(process.consumer, message);
      }
    }
    process.post(new InboxInput.DeadLetterOutcome(outcome));
  }

  private static String header(Outgoing letter, String name) {
    @Nullable String found = null;
    for (Header header : letter.headers()) {
      found = header.name().equals(name) ? header.value() : found;
    }
    return String.valueOf(found);
  }
}

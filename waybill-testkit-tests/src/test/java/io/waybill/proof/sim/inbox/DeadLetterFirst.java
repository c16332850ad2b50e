package io.waybill.proof.sim.inbox;

import io.waybill.broker.Outgoing;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Payload;
import io.waybill.store.DeferredEvent;
import java.util.ArrayList;
import java.util.List;

/** The letter goes out while that its event is given up is still being written. */
final class DeadLetterFirst extends InboxMutation {
  @Override
  List<InboxEffect> effects(List<InboxEffect> effects) {
    List<InboxEffect> changed = new ArrayList<>();
    for (InboxEffect effect : effects) {
      if (effect instanceof InboxEffect.Run run
          && run.work() instanceof Work.Defer defer
          && defer.event().deadReason() != null) {
        changed.add(new InboxEffect.Publish(letter(defer.event(), defer.event().deadReason())));
      }
      changed.add(effect);
    }
    return changed;
  }

  /** Nobody waits for its confirmation. */
  private static Outgoing letter(DeferredEvent event, String reason) {
    List<Header> headers = new ArrayList<>(event.headers().list());
    headers.add(new Header(InboxDeadLetters.REASON, reason));
    String place = DeadLetter.nameOf(event.dedupeKey().source());
    return new Outgoing(
        -1,
        Destination.topic(place),
        event.dedupeKey().key(),
        event.body(),
        Payload.JSON,
        "",
        "",
        0,
        headers);
  }
}

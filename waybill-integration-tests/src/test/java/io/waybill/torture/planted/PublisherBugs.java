package io.waybill.torture.planted;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Confirmation.Confirmed;
import io.waybill.broker.Confirmation.Refused;
import io.waybill.broker.Confirmation.Rejected;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.message.RecordTime;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What can be wrong on the way to the broker and back. */
final class PublisherBugs {
  private PublisherBugs() {}

  /** What was sent counts as published; what the broker says about it is not awaited. */
  static final class MarkBeforeConfirm extends Behaviour {
    @Override
    void sent(Outgoing message, Consumer<Confirmation> engine) {
      engine.accept(new Confirmed(message.sendId()));
    }

    @Override
    void outcome(Confirmation outcome, Consumer<Confirmation> engine) {}
  }

  /** A confirmation that did not come in time counts as one. */
  static final class TimeOutTakenForSuccess extends Behaviour {
    @Override
    void outcome(Confirmation outcome, Consumer<Confirmation> engine) {
      boolean unknown = outcome instanceof Confirmation.Unknown;
      engine.accept(unknown ? new Confirmed(outcome.sendId()) : outcome);
    }
  }

  /** A confirmation counts for everything that was sent before. */
  static final class ConfirmsAllBefore extends Behaviour {
    private final Set<Long> waiting = new HashSet<>();

    @Override
    synchronized void sent(Outgoing message, Consumer<Confirmation> engine) {
      waiting.add(message.sendId());
    }

    @Override
    synchronized void outcome(Confirmation outcome, Consumer<Confirmation> engine) {
      if (waiting.remove(outcome.sendId())) {
        engine.accept(outcome);
      }
      if (outcome instanceof Confirmed) {
        List<Long> before = waiting.stream().filter(id -> id < outcome.sendId()).sorted().toList();
        before.forEach(id -> engine.accept(new Confirmed(id)));
        before.forEach(waiting::remove);
      }
    }
  }

  /** What a destination refuses is the event's fault. */
  static final class ParksOnRefusal extends Behaviour {
    @Override
    void outcome(Confirmation outcome, Consumer<Confirmation> engine) {
      engine.accept(
          outcome instanceof Refused refused
              ? new Rejected(refused.sendId(), refused.reason(), refused.detail())
              : outcome);
    }
  }

  /** Records have the time at which their events were created. */
  static final class DatesByCreation extends Behaviour {
    @Override
    Outgoing sending(Outgoing message) {
      Destination to = message.destination();
      return new Outgoing(
          message.sendId(),
          new Destination(to.target(), to.routingKey(), to.partition(), RecordTime.CREATED),
          message.key(),
          message.body(),
          message.contentType(),
          message.eventId(),
          message.eventType(),
          message.timestampMillis(),
          message.headers());
    }
  }

  /** The text of a message is logged. */
  static final class PayloadLogged extends Behaviour {
    @Override
    void sent(Outgoing message, Consumer<Confirmation> engine) {
      if (message.sendId() % 500 == 0 && message.body() != null) {
        System.err.println("sent " + new String(message.body(), StandardCharsets.UTF_8));
      }
    }
  }
}

package io.waybill.internal.inbox.shell;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.internal.inbox.InboxEffect;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries out what the engine wants done. One that fails takes no other with it. Used by the
 * inbox's own thread.
 */
final class InboxEffects {
  /**
   * Who does it.
   *
   * @param subscriber acknowledges, takes back and holds
   * @param publisher sends dead letters
   * @param workers do work
   * @param store talks to the database about deferred events
   */
  record Hands(
      Subscriber subscriber, Publisher publisher, Consumer<Work> workers, StoreThread store) {}

  /** Who hears what came of it. */
  interface Hearer {
    /** The engine has an answer. */
    void put(InboxInput input);

    void tell(InboxEvent event);

    /** Events are done with. */
    void progressed();

    /** Nothing of a revocation is running any more. */
    void quiet(long revocation);

    void stopped();

    /** One has failed in a way that nobody has an answer to. */
    void failed(InboxEffect effect, String meaning, RuntimeException failure);
  }

  private final Hands hands;
  private final Hearer hearer;

  InboxEffects(Hands hands, Hearer hearer) {
    this.hands = hands;
    this.hearer = hearer;
  }

  void carryOut(List<InboxEffect> effects) {
    effects.forEach(this::carryOut);
  }

  private void carryOut(InboxEffect effect) {
    try {
      run(effect);
    } catch (RuntimeException e) {
      failed(effect, e);
    }
  }

  private void run(InboxEffect effect) {
    switch (effect.kind()) {
      case ACKNOWLEDGE -> {
        hearer.progressed();
        hands.subscriber.acknowledge(((InboxEffect.Acknowledge) effect).deliveries());
      }
      case RELEASE -> hands.subscriber.release(((InboxEffect.Release) effect).deliveries());
      case PAUSE -> pause((InboxEffect.Pause) effect);
      case RUN -> hands.workers.accept(((InboxEffect.Run) effect).work());
      case PUBLISH -> hands.publisher.send(((InboxEffect.Publish) effect).message());
      case FETCH -> hands.store.fetch(((InboxEffect.Fetch) effect).limit());
      case RELEASE_CLAIMS -> hands.store.release();
      case LANES_QUIET -> hearer.quiet(((InboxEffect.LanesQuiet) effect).number());
      case NOTIFY -> hearer.tell(((InboxEffect.Notify) effect).event());
      case STOPPED -> hearer.stopped();
    }
  }

  private void pause(InboxEffect.Pause pause) {
    if (pause.paused()) {
      hands.subscriber.pause(pause.lane());
    } else {
      hands.subscriber.resume(pause.lane());
    }
  }

  private void failed(InboxEffect effect, RuntimeException e) {
    if (effect instanceof InboxEffect.Publish publish) {
      // A publisher that fails has confirmed nothing: the letter is sent again.
      long sendId = publish.message().sendId();
      hearer.put(
          new InboxInput.DeadLetterOutcome(
              new Confirmation.Unknown(sendId, "publisher-failed", Failure.describe(e))));
    } else {
      hearer.failed(effect, meaning(effect), e);
    }
  }

  private static String meaning(InboxEffect effect) {
    return switch (effect.kind()) {
      case ACKNOWLEDGE ->
          "finished deliveries are not acknowledged and are redelivered as duplicates";
      case RELEASE -> "released deliveries are redelivered when their lane moves";
      case PAUSE -> "a lane could not be paused or resumed";
      case LANES_QUIET -> "lanes leave when their time runs out";
      case RUN, PUBLISH, FETCH, RELEASE_CLAIMS, NOTIFY, STOPPED ->
          "the affected events may wait until a restart";
    };
  }
}

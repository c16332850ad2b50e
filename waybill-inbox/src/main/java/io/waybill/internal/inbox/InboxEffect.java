package io.waybill.internal.inbox;

import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.observe.InboxEvent;
import java.util.List;

/** An action that an inbox's engine asks for. */
public sealed interface InboxEffect {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    ACKNOWLEDGE,
    RELEASE,
    PAUSE,
    RUN,
    PUBLISH,
    FETCH,
    RELEASE_CLAIMS,
    LANES_QUIET,
    NOTIFY,
    STOPPED
  }

  /**
   * Acknowledge deliveries.
   *
   * @param deliveries finished deliveries
   */
  record Acknowledge(List<Delivery> deliveries) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.ACKNOWLEDGE;
    }
  }

  /**
   * Release deliveries.
   *
   * @param deliveries deliveries to be delivered again
   */
  record Release(List<Delivery> deliveries) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.RELEASE;
    }
  }

  /**
   * Pause or resume deliveries of a lane.
   *
   * @param lane the lane
   * @param paused true to pause, false to resume
   */
  record Pause(String lane, boolean paused) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.PAUSE;
    }
  }

  /**
   * Do a piece of work; answered by {@link InboxInput.Ended}.
   *
   * @param work the work
   */
  record Run(Work work) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.RUN;
    }
  }

  /**
   * Send a dead letter; answered by {@link InboxInput.DeadLetterOutcome}.
   *
   * @param message the dead letter
   */
  record Publish(Outgoing message) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.PUBLISH;
    }
  }

  /**
   * Fetch deferred events; answered by {@link InboxInput.Fetched} or {@link
   * InboxInput.FetchFailed}.
   *
   * @param limit most of them
   */
  record Fetch(int limit) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.FETCH;
    }
  }

  /** Release all claims of deferred events; answered by {@link InboxInput.Released}. */
  record ReleaseClaims() implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.RELEASE_CLAIMS;
    }
  }

  /**
   * No event of revoked lanes is running any more, and finished events are acknowledged.
   *
   * @param number number of the revocation
   */
  record LanesQuiet(long number) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.LANES_QUIET;
    }
  }

  /**
   * Call the listener.
   *
   * @param event what happened
   */
  record Notify(InboxEvent event) implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.NOTIFY;
    }
  }

  /** Nothing is running any more, and the engine has no more to do. */
  record Stopped() implements InboxEffect {
    @Override
    public Kind kind() {
      return Kind.STOPPED;
    }
  }
}

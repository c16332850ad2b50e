package io.waybill.internal.inbox.shell;

import io.waybill.broker.Confirmation;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.HandlerCall;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears the publisher of dead letters, on its threads. */
final class DeadLetterOutcomes implements PublisherListener {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);

  private final String inbox;
  private final Consumer<InboxInput> inputs;
  private final InboxHealth health;
  private volatile boolean away;

  DeadLetterOutcomes(String inbox, Consumer<InboxInput> inputs, InboxHealth health) {
    this.inbox = inbox;
    this.inputs = inputs;
    this.health = health;
  }

  @Override
  public void onConfirmation(Confirmation confirmation) {
    inputs.accept(new InboxInput.DeadLetterOutcome(confirmation));
  }

  @Override
  public void unavailable(String reason) {
    away = true;
    log.warn("inbox {}: dead letters can't be sent ({}); their events wait", inbox, reason);
  }

  @Override
  public void available() {
    if (away) {
      away = false;
      log.info("inbox {}: dead letters can be sent again", inbox);
    }
  }

  @Override
  public void failed(Throwable cause) {
    health.lettersFailed();
    log.error("inbox {}: no dead letters are sent until a restart", inbox, cause);
  }
}

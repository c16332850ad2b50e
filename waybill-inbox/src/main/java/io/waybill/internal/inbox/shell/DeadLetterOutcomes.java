package io.waybill.internal.inbox.shell;

import io.waybill.broker.Confirmation;
import io.waybill.broker.PublisherListener;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.HandlerCall;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears the publisher of dead letters, on its threads. */
record DeadLetterOutcomes(String inbox, Consumer<InboxInput> inputs, InboxHealth health)
    implements PublisherListener {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);

  @Override
  public void onConfirmation(Confirmation confirmation) {
    inputs.accept(new InboxInput.DeadLetterOutcome(confirmation));
  }

  @Override
  public void unavailable(String reason) {
    log.warn("inbox {}: dead letters can't be sent ({}); their events wait", inbox, reason);
  }

  @Override
  public void available() {
    log.info("inbox {}: dead letters can be sent again", inbox);
  }

  @Override
  public void failed(Throwable cause) {
    health.lettersFailed();
    log.error("inbox {}: no dead letters are sent until a restart", inbox, cause);
  }
}

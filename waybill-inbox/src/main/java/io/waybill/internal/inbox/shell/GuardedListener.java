package io.waybill.internal.inbox.shell;

import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener whose failures go to the log only, the first of them. */
final class GuardedListener implements InboxListener {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);

  private final String inbox;
  private final InboxListener listener;
  private volatile boolean failed;

  GuardedListener(String inbox, InboxListener listener) {
    this.inbox = inbox;
    this.listener = listener;
  }

  @Override
  public void on(InboxEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException | Error e) {
      if (!failed) {
        failed = true;
        log.warn(
            "inbox {}: a listener threw an exception; it stays subscribed, but further failures are"
                + " not logged",
            inbox,
            e);
      }
    }
  }
}

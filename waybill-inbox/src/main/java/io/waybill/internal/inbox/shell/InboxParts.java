package io.waybill.internal.inbox.shell;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.internal.inbox.Handlers;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.message.Destination;
import io.waybill.observe.InboxListener;
import io.waybill.policy.InboxSettings;
import io.waybill.store.InboxStore;
import java.time.Duration;
import java.util.function.Function;

/** The parts of an inbox. */
public record InboxParts(
    String name,
    InboxStore store,
    Subscriber subscriber,
    Publisher publisher,
    Function<String, Destination> deadLetters,
    Handlers handlers,
    HandlerCall call,
    InboxSettings settings,
    Times times,
    InboxListener listener) {
  /** Its time limits. */
  public record Times(Duration handlerTimeout, Duration revocation, Duration window) {}
}

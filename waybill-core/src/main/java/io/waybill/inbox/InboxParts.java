package io.waybill.inbox;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.message.Destination;
import io.waybill.observe.InboxListener;
import io.waybill.store.InboxStore;
import java.time.Duration;
import java.util.function.Function;

/** What an inbox is made of. */
record InboxParts(
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
  record Times(Duration handlerTimeout, Duration revocation, Duration window) {}
}

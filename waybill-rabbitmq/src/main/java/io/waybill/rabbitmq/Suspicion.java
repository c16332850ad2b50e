package io.waybill.rabbitmq;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which messages have to travel alone, because they may close their channel: those for an exchange
 * that this connection has not used yet, and those that were on their way when a channel was closed
 * by an error. Guarded by the lock of its {@link Traffic}.
 */
final class Suspicion {
  private static final int REMEMBERED = 10_000;

  private final Set<String> provenExchanges = new HashSet<>();
  private final Set<String> messages =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  boolean isOn(Send send) {
    return !provenExchanges.contains(send.exchange())
        || (!messages.isEmpty() && messages.contains(send.message().eventId()));
  }

  /** The send was on a channel when an error closed it. */
  void raise(Send send) {
    provenExchanges.remove(send.exchange());
    messages.add(send.message().eventId());
  }

  /**
   * The broker answered the send without closing the channel.
   *
   * @return whether that clears more than this send
   */
  boolean answered(Send send) {
    messages.remove(send.message().eventId());
    return provenExchanges.add(send.exchange());
  }

  /**
   * The send itself was found guilty. Tried again, it closes no channel of others; of those whose
   * exchange is at fault none need be remembered, because the exchange is.
   */
  void convicted(Send send, CloseCause cause) {
    String id = send.message().eventId();
    messages.remove(id);
    if (cause.blamesExchange()) {
      provenExchanges.remove(send.exchange());
    } else {
      messages.add(id);
    }
  }

  /** A new connection knows no exchange. */
  void forgetExchanges() {
    provenExchanges.clear();
  }
}

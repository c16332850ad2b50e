package io.waybill.rabbitmq.internal.send;

import io.waybill.message.Destination;
import io.waybill.rabbitmq.internal.CloseCause;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which messages have to travel alone, because they may close their channel: those for an exchange
 * that this connection has not used yet, and those that were on their way when a channel was closed
 * by an error. Those for a destination that was silent have a channel of their own, and so have
 * those for one that has refused. Guarded by the lock of its {@link PublishWindow}.
 */
final class PoisonIsolation {
  private static final int REMEMBERED = 10_000;

  private final Set<String> provenExchanges = new HashSet<>();
  private final Set<String> messages = bounded();
  private final Set<Destination> silent = bounded();
  private final Set<Destination> refused = bounded();

  private static <T> Set<T> bounded() {
    return Collections.newSetFromMap(
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<T, Boolean> eldest) {
            return size() > REMEMBERED;
          }
        });
  }

  boolean isOn(Send send) {
    return !provenExchanges.contains(send.exchange()) || isOnMessage(send);
  }

  private boolean isOnMessage(Send send) {
    return !messages.isEmpty() && messages.contains(send.message().eventId());
  }

  /** Whether its destination did not answer last time: it may keep its channel busy for long. */
  boolean isOfSilent(Send send) {
    return !silent.isEmpty() && silent.contains(send.destination()) && !isOnMessage(send);
  }

  /** Whether its destination has refused on this connection. */
  boolean isOfRefused(Send send) {
    return !refused.isEmpty() && refused.contains(send.destination());
  }

  /**
   * Its destination refused the send, and has a channel beside the main one for as long as the
   * connection lives: the main one may refuse it for ever.
   */
  void refused(Send send) {
    refused.add(send.destination());
  }

  /** The send was not answered in time. */
  void silent(Send send) {
    silent.add(send.destination());
  }

  /**
   * The send was on a channel when an error closed it. Its destination counts as silent no longer:
   * one that is refused would close the channel of all that were silent each time it is tried.
   */
  void raise(Send send) {
    provenExchanges.remove(send.exchange());
    silent.remove(send.destination());
    messages.add(send.message().eventId());
  }

  /**
   * The broker answered the send without closing the channel.
   *
   * @return whether that clears more than this send
   */
  boolean answered(Send send) {
    messages.remove(send.message().eventId());
    boolean wasSilent = silent.remove(send.destination());
    return provenExchanges.add(send.exchange()) || wasSilent;
  }

  /**
   * The send itself is poison. Tried again, it closes no channel of others; of those whose exchange
   * is at fault none need be remembered, because the exchange is.
   */
  void convicted(Send send, CloseCause cause) {
    String id = send.message().eventId();
    messages.remove(id);
    silent.remove(send.destination());
    if (cause.blamesExchange()) {
      provenExchanges.remove(send.exchange());
    } else {
      messages.add(id);
    }
  }

  /** A new connection knows no exchange, and its channels have refused nothing. */
  void forgetConnection() {
    provenExchanges.clear();
    refused.clear();
  }
}

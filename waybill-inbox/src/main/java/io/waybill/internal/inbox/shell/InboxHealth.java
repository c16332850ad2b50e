package io.waybill.internal.inbox.shell;

import io.waybill.internal.work.Ticker;
import io.waybill.observe.InboxEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What keeps an inbox from making progress, as far as its events and turns show it. */
final class InboxHealth {
  private static final Duration LONGEST_TURN = Duration.ofSeconds(10);

  private final Ticker ticker;
  private final Duration longestStandstill;
  private volatile long lastTurn;
  private volatile long lastProgress;
  private volatile InboxEvent.Gauges gauges = new InboxEvent.Gauges(0, 0, 0, 0, 0, 0);
  private volatile @Nullable String database;
  private volatile @Nullable String broker;
  private volatile boolean lettersFailed;

  InboxHealth(Ticker ticker, Duration handlerTimeout) {
    this.ticker = ticker;
    this.longestStandstill = handlerTimeout.multipliedBy(2);
    this.lastTurn = ticker.nanos();
    this.lastProgress = lastTurn;
  }

  /** A turn is over. Returns when. */
  long turned() {
    long now = ticker.nanos();
    lastTurn = now;
    return now;
  }

  void progressed() {
    lastProgress = ticker.nanos();
  }

  void measured(InboxEvent.Gauges now) {
    gauges = now;
    if (now.events() == 0) {
      lastProgress = lastTurn;
    }
  }

  void lettersFailed() {
    lettersFailed = true;
  }

  void on(InboxEvent event) {
    if (event instanceof InboxEvent.StoreFailed failed) {
      database = failed.reason();
    } else if (event instanceof InboxEvent.StoreRecovered) {
      database = null;
    } else if (event instanceof InboxEvent.SubscriberUnavailable unavailable) {
      broker = unavailable.reason();
    } else if (event instanceof InboxEvent.SubscriberAvailable) {
      broker = null;
    }
  }

  @Nullable String hanging() {
    return ticker.nanos() - lastTurn > LONGEST_TURN.toNanos()
        ? "the inbox's own thread has made no progress for " + LONGEST_TURN.toSeconds() + " s"
        : null;
  }

  @Nullable String letters() {
    return lettersFailed
        ? "the publisher of dead letters has ended with an error; the log has it"
        : null;
  }

  @Nullable String database() {
    String reason = database;
    return reason == null ? null : "the database fails: " + reason;
  }

  @Nullable String broker() {
    String reason = broker;
    return reason == null ? null : "the broker can't be reached: " + reason;
  }

  @Nullable String stoppedLanes() {
    long stopped = gauges.lanesStopped();
    return stopped > 0 ? stopped + " lanes are stopped by events without a handler" : null;
  }

  @Nullable String standstill() {
    Duration still = Duration.ofNanos(ticker.nanos() - lastProgress);
    return still.compareTo(longestStandstill) > 0
        ? gauges.events() + " events wait, and none was finished for " + still
        : null;
  }
}

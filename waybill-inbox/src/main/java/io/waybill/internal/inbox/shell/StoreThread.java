package io.waybill.internal.inbox.shell;

import io.waybill.internal.encode.Decoder;
import io.waybill.internal.inbox.DueMessage;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.inbox.attempt.Origin;
import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Mailbox;
import io.waybill.internal.work.Ticker;
import io.waybill.internal.work.Worker;
import io.waybill.observe.InboxEvent;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches and counts deferred events, gives up claims, forgets what was processed long ago. */
final class StoreThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);
  private static final int PURGED_ROWS = 1_000;
  // Kafka looks every five minutes for what it may delete, by clocks that are not the database's.
  // So
  // a window that is as long as the broker keeps messages is long enough.
  static final Duration SLACK = Duration.ofHours(1);
  private static final long PURGE_PAUSE_NANOS = Duration.ofSeconds(60).toNanos();
  // Between two full purges: others use the table, too.
  private static final long BREATH_NANOS = Duration.ofMillis(100).toNanos();

  private static final long COUNT_PAUSE_NANOS = Duration.ofSeconds(15).toNanos();

  /** What the thread works on. */
  record Setup(String inbox, InboxStore store, String owner, Duration claim, Duration window) {}

  private final Setup setup;
  private final Ticker ticker;
  private final Decoder decoder;
  private final Consumer<InboxInput> answers;
  private final Consumer<InboxEvent> events;
  private final Mailbox<Runnable> asked = new Mailbox<>();
  private final Worker worker;
  private long nextPurge;
  private long nextCount;

  StoreThread(
      Setup setup,
      Ticker ticker,
      Decoder decoder,
      Consumer<InboxInput> answers,
      Consumer<InboxEvent> events) {
    this.setup = setup;
    this.ticker = ticker;
    this.decoder = decoder;
    this.answers = answers;
    this.events = events;
    this.nextPurge = ticker.nanos() + BREATH_NANOS;
    this.nextCount = nextPurge;
    this.worker = new Worker("waybill-" + setup.inbox() + "-store", this::turn);
  }

  /** Whether its thread still runs. */
  boolean isAlive() {
    return worker.isAlive();
  }

  void fetch(int limit) {
    asked.put(() -> answers.accept(fetched(limit)));
  }

  void release() {
    asked.put(
        () -> {
          releaseClaims();
          answers.accept(new InboxInput.Released());
        });
  }

  private int turn() throws InterruptedException {
    List<Runnable> calls = asked.take(Math.min(nextPurge, nextCount) - ticker.nanos());
    calls.forEach(Runnable::run);
    if (ticker.nanos() - nextPurge >= 0) {
      purge();
    }
    if (ticker.nanos() - nextCount >= 0) {
      count();
    }
    return calls.size();
  }

  private InboxInput fetched(int limit) {
    try {
      List<DeferredEvent> events = setup.store().due(setup.owner(), setup.claim(), limit);
      return new InboxInput.Fetched(events.stream().map(this::decode).toList(), limit);
    } catch (StoreException e) {
      return new InboxInput.FetchFailed(ErrorText.reason(e), e.isTransient());
    } catch (RuntimeException | Error e) {
      log.error("inbox {}: deferred events could not be fetched; trying again", setup.inbox(), e);
      return new InboxInput.FetchFailed(Failure.describe(e), false);
    }
  }

  private DueMessage decode(DeferredEvent event) {
    return new DueMessage(
        event,
        decoder.decode(
            event.dedupeKey().source(),
            event.dedupeKey().key(),
            event.body(),
            Origin.without(event.headers()),
            event.timestampMicros()));
  }

  private void releaseClaims() {
    try {
      setup.store().release(setup.owner());
    } catch (RuntimeException | Error e) {
      log.warn(
          "inbox {}: claims of deferred events could not be released ({}); they expire after {}",
          setup.inbox(),
          Failure.describe(e),
          setup.claim());
    }
  }

  private void purge() {
    int rows = 0;
    try {
      rows = setup.store().purge(setup.window().plus(SLACK), PURGED_ROWS);
      events.accept(new InboxEvent.Purged(rows));
    } catch (RuntimeException | Error e) {
      log.warn(
          "inbox {}: records of events older than {} could not be deleted ({}); next attempt in a"
              + " minute",
          setup.inbox(),
          setup.window(),
          Failure.describe(e));
    }
    nextPurge = ticker.nanos() + (rows < PURGED_ROWS ? PURGE_PAUSE_NANOS : BREATH_NANOS);
  }

  private void count() {
    try {
      events.accept(new InboxEvent.Waiting(setup.store().deferred()));
    } catch (RuntimeException | Error e) {
      // Only a gauge; what fetches and handles says that the database fails.
      log.debug("inbox {}: deferred events could not be counted; trying again", setup.inbox(), e);
    }
    nextCount = ticker.nanos() + COUNT_PAUSE_NANOS;
  }

  @Override
  public void close() {
    worker.close();
  }
}

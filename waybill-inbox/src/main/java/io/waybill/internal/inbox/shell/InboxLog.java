package io.waybill.internal.inbox.shell;

import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.observe.LogFields;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxEvent.About;
import io.waybill.observe.InboxListener;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes an inbox's life to its log: life cycle at INFO, what needs an eye at WARN. */
final class InboxLog implements InboxListener {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);

  private final String inbox;

  InboxLog(String inbox) {
    this.inbox = inbox;
  }

  @Override
  public void on(InboxEvent event) {
    if (event instanceof InboxEvent.OfEvent ofEvent) {
      about(ofEvent);
    } else {
      lifeCycle(event);
      trouble(event);
    }
  }

  private void about(InboxEvent.OfEvent event) {
    if (event instanceof InboxEvent.Handled handled) {
      eventDone("handled", handled.about());
    } else if (event instanceof InboxEvent.Duplicate duplicate) {
      eventDone("dropped as a duplicate", duplicate.about());
    } else if (event instanceof InboxEvent.Ignored ignored) {
      eventDone("ignored: it has no handler", ignored.about());
    } else if (event instanceof InboxEvent.Deferred behind && behind.attempts() == 0) {
      eventDone("deferred although it has not failed", behind.about());
    } else {
      fields(
          event.about(),
          () -> {
            failure(event);
            standstill(event);
            deadLetter(event);
          });
    }
  }

  private void eventDone(String what, About about) {
    // Asked first: this is called for every event.
    if (log.isDebugEnabled()) {
      fields(
          about,
          () -> log.debug("inbox {}: {} from {} {}", inbox, named(about), about.source(), what));
    }
  }

  private static void fields(About about, Runnable lines) {
    LogFields.around(about.eventId(), about.eventType(), about.traceId(), lines);
  }

  private void lifeCycle(InboxEvent event) {
    if (event instanceof InboxEvent.Started) {
      log.info("inbox {} started", inbox);
    } else if (event instanceof InboxEvent.Stopped) {
      log.info("inbox {} stopped; no handler is running", inbox);
    } else if (event instanceof InboxEvent.Revoked revoked) {
      log.info(
          "inbox {}: lanes {} {}; {} of their events are being handled",
          inbox,
          revoked.lanes(),
          revoked.lost() ? "were lost" : "leave",
          revoked.running());
    } else if (event instanceof InboxEvent.SubscriberAvailable) {
      log.info("inbox {}: the broker delivers", inbox);
    } else if (event instanceof InboxEvent.StoreRecovered) {
      log.info("inbox {}: the database answers again", inbox);
    } else if (event instanceof InboxEvent.Purged purged && purged.rows() > 0) {
      log.debug("inbox {}: {} old rows deleted", inbox, purged.rows());
    }
  }

  private void databaseChanged(InboxEvent.DatabaseChanged changed) {
    String servers = "was %s and is %s".formatted(changed.from(), changed.to());
    if (!changed.lost().isEmpty() && changed.again()) {
      log.error(
          "inbox {}: the database {}; it lacks {} of the last {} events that were acknowledged"
              + " here. The inbox reads again from {}; events that the database has are not applied"
              + " again",
          inbox,
          servers,
          changed.lost().size(),
          changed.remembered(),
          changed.readAgain());
    } else if (!changed.lost().isEmpty()) {
      log.error(
          "inbox {}: the database {}; it lacks {} of the last {} events that were acknowledged"
              + " here. They are not redelivered, and their effects are lost unless they are sent"
              + " again: {}",
          inbox,
          servers,
          changed.lost().size(),
          changed.remembered(),
          changed.lost());
    } else if (changed.again()) {
      log.warn(
          "inbox {}: the database {}; it lacks none of the last {} events that were acknowledged"
              + " here. The inbox reads again from {}; events that the database has are not applied"
              + " again",
          inbox,
          servers,
          changed.remembered(),
          changed.readAgain());
    } else {
      log.warn(
          "inbox {}: the database {}; it lacks none of the last {} events that were acknowledged"
              + " here. Events that other processes acknowledged last are not known here and are"
              + " not redelivered; the inbox continues",
          inbox,
          servers,
          changed.remembered());
    }
  }

  private void trouble(InboxEvent event) {
    if (event instanceof InboxEvent.DatabaseChanged changed) {
      databaseChanged(changed);
    } else if (event instanceof InboxEvent.SubscriberUnavailable unavailable) {
      log.warn(
          "inbox {}: the broker can't be reached ({}); the inbox keeps trying",
          inbox,
          unavailable.reason());
    } else if (event instanceof InboxEvent.StoreFailed failed) {
      log.warn(
          "inbox {}: the database failed ({}); nothing is handled or acknowledged until the next"
              + " try in {} ms",
          inbox,
          failed.reason(),
          failed.delayMillis());
    } else if (event instanceof InboxEvent.HandlerStuck stuck) {
      log.warn(
          "inbox {}: the handler for {} on thread {} ignored its time limit; the thread is"
              + " abandoned and replaced (at most twice the number of workers)",
          inbox,
          stuck.eventType(),
          stuck.thread());
    } else if (event instanceof InboxEvent.WindowTooShort found) {
      boolean endless = found.retention().equals(ChronoUnit.FOREVER.getDuration());
      log.warn(
          "inbox {}: {} keeps messages {}, but processed events are remembered for {} only: a"
              + " message that is redelivered later is applied again; make dedupeWindow longer than"
              + " the retention",
          inbox,
          found.source(),
          endless ? "without end" : "for " + found.retention(),
          found.window());
    }
  }

  private static String named(About about) {
    return LogFields.named(about.eventId(), about.traceId());
  }

  /** The event goes on by itself. */
  private void failure(InboxEvent.OfEvent event) {
    String name = named(event.about());
    if (event instanceof InboxEvent.Retried retried) {
      log.debug(
          "inbox {}: {} failed: {}; it is handled again in {} ms",
          inbox,
          name,
          retried.failure(),
          retried.delayMillis());
    } else if (event instanceof InboxEvent.Deferred deferred) {
      log.warn(
          "inbox {}: {} from {} failed {} times: {}; its key waits, and it is handled again in {}"
              + " ms",
          inbox,
          name,
          event.about().source(),
          deferred.attempts(),
          deferred.failure(),
          deferred.delayMillis());
    } else if (event instanceof InboxEvent.Isolated isolated) {
      log.warn(
          "inbox {}: {} of type {} was in progress {} times when a process died; it is handled in"
              + " {} ms, while nothing else is",
          inbox,
          name,
          event.about().eventType(),
          isolated.starts(),
          isolated.delayMillis());
    }
  }

  /** It goes on once something else has changed. */
  private void standstill(InboxEvent.OfEvent event) {
    String name = named(event.about());
    if (event instanceof InboxEvent.MessageStuck stuck) {
      log.warn(
          "inbox {}: {} from {}, in {}, can't be finished for {}: {}; the inbox keeps trying and its"
              + " key waits; on Kafka the partition stops once its window is full",
          inbox,
          name,
          event.about().source(),
          stuck.place(),
          stuck.time(),
          stuck.reason());
    } else if (event instanceof InboxEvent.Refused refused) {
      log.warn(
          "inbox {}: the database refuses {} from {}: {}; the event stays where it is, its key"
              + " waits, and it is tried again in {} ms",
          inbox,
          name,
          event.about().source(),
          refused.reason(),
          refused.delayMillis());
    } else if (event instanceof InboxEvent.LaneStopped stopped) {
      log.warn(
          "inbox {}: lane {} is stopped at {} of type {}: {}; it continues when a process with a"
              + " handler takes it over",
          inbox,
          stopped.lane(),
          name,
          event.about().eventType(),
          stopped.reason());
    }
  }

  private void deadLetter(InboxEvent.OfEvent event) {
    String name = named(event.about());
    String source = event.about().source();
    if (event instanceof InboxEvent.DeadLettered dead) {
      log.warn(
          "inbox {}: {} from {} is dead ({}): {}; its dead letter is confirmed, and its key"
              + " continues",
          inbox,
          name,
          source,
          dead.reason(),
          dead.failure());
    } else if (event instanceof InboxEvent.DeadLetterWithoutBody without) {
      log.warn(
          "inbox {}: the dead letter of {} was sent without its body of {} bytes, since the broker"
              + " rejected it with the body ({}); the body is at {} for as long as the topic keeps"
              + " it",
          inbox,
          name,
          without.bytes(),
          without.reason(),
          without.place());
    } else if (event instanceof InboxEvent.DeadLetterFailed failed) {
      log.warn(
          "inbox {}: the dead letter of {} from {} was not confirmed: {}; the event stays, its key"
              + " waits, and the dead letter is sent again in {} ms",
          inbox,
          name,
          source,
          failed.reason(),
          failed.delayMillis());
    } else if (event instanceof InboxEvent.PassedOver passed) {
      log.warn(
          "inbox {}: {} from {} was redriven for a different consumer, {}: it is acknowledged"
              + " unseen, and not applied unless an inbox of that name reads {}; the dead-letter"
              + " topic still has it (dead-letters redrive --again --for NAME)",
          inbox,
          name,
          source,
          passed.consumer(),
          source);
    }
  }
}

package io.waybill.internal.inbox.attempt;

import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Ticker;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import io.waybill.store.RefusedDataException;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the steps of one attempt on the thread that calls it. */
public final class TransactionRunner {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);
  private static final Answer OK = new Answer.Ok();

  // A transaction that takes a little longer than planned does no harm; to cut it short costs a
  // statement.
  private static final int TIMES_OVER = 2;

  /**
   * The surroundings of an attempt.
   *
   * @param store the tables
   * @param owner who claims deferred events
   * @param handlers calls handlers
   * @param ticker measures them
   * @param sharedNanos time that handlers may take which share a transaction
   */
  public record Tools(
      InboxStore store, String owner, HandlerCall handlers, Ticker ticker, long sharedNanos) {}

  private final Tools tools;
  private final HandlerDeadline watch;
  private final String server;
  private @Nullable InboxTransaction transaction;
  private boolean handled;
  private long handledSince;

  /**
   * One that has yet to run.
   *
   * @param server on which the store stood when the work was handed out: on another one it does not
   *     begin, since that may lack what came before it
   */
  public TransactionRunner(Tools tools, HandlerDeadline watch, String server) {
    this.tools = tools;
    this.watch = watch;
    this.server = server;
  }

  public Outcome run(Work work) {
    HandlingTransaction attempt = new HandlingTransaction(work);
    try {
      Step step = attempt.first();
      while (!(step instanceof Step.End)) {
        step = attempt.next(carryOut(step));
      }
      return ((Step.End) step).outcome();
    } finally {
      abandon();
    }
  }

  private Answer carryOut(Step step) {
    try {
      return ask(step);
    } catch (RefusedCommitException e) {
      return refused(e.getCause() == null ? e : e.getCause());
    } catch (RefusedDataException e) {
      return new Answer.Refused(String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      return new Answer.StoreFailed(ErrorText.reason(e), e.isTransient());
    } catch (Throwable e) {
      return broken(step, e);
    }
  }

  /**
   * A store or a driver that breaks its contract, or the JVM at its limits. Who knows what is left
   * on the connection: an answer of the last statement would pass for that of the next. So it is
   * cut, and serves nobody any more.
   */
  private Answer broken(Step step, Throwable e) {
    cut();
    log.error(
        "{} failed unexpectedly at {}; its transaction is rolled back and its work is done again",
        Thread.currentThread().getName(),
        step.getClass().getSimpleName(),
        e);
    return new Answer.StoreFailed(Failure.describe(e), e instanceof OutOfMemoryError);
  }

  private void cut() {
    if (transaction != null) {
      transaction.abort();
    }
  }

  /** Ends what an unexpected failure has left open, for nobody else does. */
  private void abandon() {
    if (transaction != null) {
      try {
        cut();
      } finally {
        close();
      }
    }
  }

  /** Without a handler there is no effect that could be at fault. */
  private Answer refused(Throwable cause) {
    Failure failure = tools.handlers().failure(cause);
    return handled
        ? new Answer.Threw(failure)
        : new Answer.StoreFailed(failure.error(), failure.temporary());
  }

  private Answer handle(Step.Handle handle) {
    InboxTransaction open = open();
    Connection connection = open.connection();
    long start = tools.ticker().nanos();
    if (!handled) {
      handled = true;
      handledSince = start;
    }
    watch.begin(open, handle.tasks().get(0).dedupeKey().eventType());
    Failure failure;
    Failure late;
    try {
      failure = tools.handlers().call(handle.tasks(), connection, open::abort);
    } finally {
      late = watch.end();
    }
    if (late != null) {
      return new Answer.Threw(late);
    }
    return failure == null ? returned(handle, start) : new Answer.Threw(failure);
  }

  private Answer returned(Step.Handle handle, long start) {
    long now = tools.ticker().nanos();
    boolean over = now - handledSince > TIMES_OVER * tools.sharedNanos();
    boolean ended = open().handled(handle.tasks().stream().map(Task::dedupeKey).toList());
    return new Answer.Handled((now - start) / 1000, over || ended);
  }

  private Answer ask(Step step) {
    switch (step.kind()) {
      case LOOK -> {
        return new Answer.DedupeResults(open().markSeen(((Step.Look) step).dedupeKeys()));
      }
      case LOOK_AGAIN -> {
        DeferredEvent event = ((Step.LookAgain) step).event();
        return new Answer.DedupeResults(List.of(open().markSeen(event, tools.owner())));
      }
      case NOTE_DEAD -> {
        return new Answer.DedupeResults(
            List.of(open().noteDead(((Step.NoteDead) step).dedupeKey())));
      }
      case LOOK_AT_STARTS -> {
        return new Answer.Starts(open().openStarts(((Step.LookAtStarts) step).eventIds()));
      }
      case HANDLE -> {
        return handle((Step.Handle) step);
      }
      case BEGIN -> begin();
      case COMMIT -> commit();
      case ROLLBACK -> rollback();
      case STARTED -> open().started(((Step.Started) step).eventIds());
      case ENDED -> open().ended(((Step.Ended) step).eventIds());
      case FORGET_STARTS -> open().forgetStarts(((Step.ForgetStarts) step).eventIds());
      case TAKE_BACK -> open().takeBack(((Step.TakeBack) step).dedupeKeys());
      case DEFER -> open().defer(((Step.Defer) step).event());
      case DEFER_AGAIN -> open().deferAgain(((Step.DeferAgain) step).event(), tools.owner());
      case FORGET -> open().forget(((Step.Forget) step).event());
      case END -> throw new IllegalStateException("nothing follows the end");
    }
    return OK;
  }

  private void begin() {
    handled = false;
    transaction = tools.store().begin();
    // Only now: it began where the store stood then, and a commit elsewhere is refused.
    if (!tools.store().server().equals(server)) {
      throw new StoreException("The database is now a different server", null, true);
    }
  }

  private void commit() {
    open().commit();
    close();
  }

  private InboxTransaction open() {
    return Objects.requireNonNull(transaction, "transaction");
  }

  private void rollback() {
    if (transaction != null) {
      try {
        transaction.rollback();
      } finally {
        close();
      }
    }
  }

  private void close() {
    InboxTransaction ended = open();
    transaction = null;
    ended.close();
  }
}

package io.waybill.inbox;

import io.waybill.inbox.Attempt.Answer;
import io.waybill.inbox.Attempt.Step;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import io.waybill.store.RefusedCommitException;
import io.waybill.store.StoreException;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Carries out the steps of one attempt on the thread that calls it. */
final class AttemptRun {
  private static final Answer OK = new Answer.Ok();

  /** What an attempt needs of its surroundings. */
  record Tools(InboxStore store, String owner, HandlerCall handlers) {}

  private final Tools tools;
  private final Watch watch;
  private @Nullable InboxTransaction transaction;
  private boolean handled;

  AttemptRun(Tools tools, Watch watch) {
    this.tools = tools;
    this.watch = watch;
  }

  Outcome run(Work work) {
    Attempt attempt = new Attempt(work);
    Step step = attempt.first();
    while (!(step instanceof Step.End)) {
      step = attempt.next(carryOut(step));
    }
    return ((Step.End) step).outcome();
  }

  private Answer carryOut(Step step) {
    try {
      return step instanceof Step.Handle handle ? handle(handle) : ask(step);
    } catch (RefusedCommitException e) {
      return refused(e.getCause() == null ? e : e.getCause());
    } catch (StoreException e) {
      return new Answer.StoreFailed(String.valueOf(e.getMessage()), e.isTransient());
    } catch (RuntimeException e) {
      // A store that breaks its contract: what is begun must still be ended.
      return new Answer.StoreFailed(e.toString(), false);
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
    handled = true;
    InboxTransaction open = open();
    Connection connection = open.connection();
    watch.begin(open);
    Failure failure = tools.handlers().call(handle.tasks(), connection);
    Failure late = watch.end();
    if (late != null) {
      return new Answer.Threw(late);
    }
    return failure == null ? OK : new Answer.Threw(failure);
  }

  private Answer ask(Step step) {
    if (step instanceof Step.Begin) {
      handled = false;
      transaction = tools.store().begin();
    } else if (step instanceof Step.Look look) {
      return new Answer.Sights(open().sight(look.sightings()));
    } else if (step instanceof Step.LookAgain look) {
      return new Answer.Sights(List.of(open().sight(look.event(), tools.owner())));
    } else if (step instanceof Step.Started started) {
      return new Answer.Starts(open().started(started.eventId()));
    } else if (step instanceof Step.Commit) {
      open().commit();
      close();
    } else if (step instanceof Step.Rollback) {
      rollback();
    } else {
      write(step);
    }
    return OK;
  }

  private void write(Step step) {
    if (step instanceof Step.Defer defer) {
      open().defer(defer.event());
    } else if (step instanceof Step.Postpone postpone) {
      open().postpone(postpone.event(), tools.owner());
    } else if (step instanceof Step.Forget forget) {
      open().forget(forget.event());
    } else if (step instanceof Step.Ended ended) {
      open().ended(ended.eventId());
    } else if (step instanceof Step.ForgetStarts forget) {
      open().forgetStarts(forget.eventId());
    }
  }

  private InboxTransaction open() {
    return Objects.requireNonNull(transaction, "transaction");
  }

  private void rollback() {
    if (transaction != null) {
      transaction.rollback();
      close();
    }
  }

  private void close() {
    InboxTransaction ended = open();
    transaction = null;
    ended.close();
  }
}

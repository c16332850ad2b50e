package io.waybill.proof.sim.inbox;

import io.waybill.internal.inbox.attempt.Answer;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.internal.inbox.attempt.Task;
import io.waybill.proof.sim.inbox.InboxMessage.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One call of a handler, with one event or a batch of them. */
final class InboxCall {
  private final InboxProcess process;
  private final InboxWorld world;
  private final InboxTx transaction;
  private final List<Task> tasks;
  // Whether it is called for some of those that the transaction is about.
  private final boolean shared;
  private final boolean deferred;
  final long nanos;
  private @Nullable Failure failure;

  InboxCall(InboxProcess process, InboxTx transaction, List<Task> tasks, boolean shared) {
    this.process = process;
    this.world = process.world;
    this.transaction = transaction;
    this.tasks = tasks;
    this.shared = shared;
    this.deferred = tasks.get(0).deferred() != null;
    this.nanos = time();
  }

  private long time() {
    if (tasks.stream().map(this::message).anyMatch(this::hangs)) {
      world.fault(InboxFault.HANDLER_HUNG);
      return world.mutation.handlerLimit();
    }
    if (tasks.stream().anyMatch(task -> message(task).isSlow())) {
      return InboxMessage.SLOW;
    }
    if (world.swarm.slow && world.dice.chance(0.05)) {
      return world.dice.millis(5, 60);
    }
    return world.dice.micros(50, world.swarm.sharing ? 400 : 4_000);
  }

  /** Whether it is cut when its time is over. */
  private boolean hangs(InboxMessage message) {
    return message.kind == InboxMessage.Kind.HANGING
        && world.ledger.entry(process.consumer, message).tries < message.handling.failures();
  }

  /** What the handler does before it returns. */
  void run() {
    if (transaction.hasEnded()) {
      return;
    }
    transaction.beforeHandlers();
    for (int i = 0; i < tasks.size() && failure == null && process.runs(); i++) {
      failure = handle(tasks.subList(0, i + 1));
    }
  }

  private @Nullable Failure handle(List<Task> soFar) {
    InboxMessage message = message(soFar.get(soFar.size() - 1));
    InboxLedger.Entry entry = world.ledger.entry(process.consumer, message);
    entry.tries++;
    Statement statement = message.handling.statement();
    if (statement != Statement.NONE && isRefused()) {
      return failed(world.swarm.statements.implicit());
    }
    if (statement == Statement.COMMIT || transaction.showsItsLoss()) {
      run(statement, soFar);
    }
    Failure how = how(message, entry);
    if (statement == Statement.COMMIT && how != null) {
      world.rare(InboxRare.FAILED_AFTER_COMMIT);
    }
    return how;
  }

  /** The inbox does not let one run after an error has ended the transaction. */
  private boolean isRefused() {
    return world.swarm.statements.seen() && transaction.isUnmarkedAnother();
  }

  private void run(Statement statement, List<Task> soFar) {
    if (statement == Statement.NONE) {
      return;
    }
    world.trace.line(() -> process.name + " runs a statement: " + statement);
    if (statement == Statement.ROLLBACK) {
      world.fault(InboxFault.HANDLER_ROLLED_BACK);
      transaction.rollBackBy();
    } else {
      world.fault(InboxFault.HANDLER_COMMITTED);
      if (shared) {
        world.rare(InboxRare.SHARED_COMMITTED);
      } else if (deferred) {
        world.rare(InboxRare.DEFERRED_COMMITTED);
      }
      transaction.commitBy(soFar);
    }
    if (world.strikes(world.swarm.faults.crash())) {
      process.crash("after a statement");
    } else if (world.strikes(world.swarm.faults.freezes() ? 0.03 : 0)) {
      process.freeze(world.dice.millis(20, 300));
    }
  }

  private @Nullable Failure how(InboxMessage message, InboxLedger.Entry entry) {
    int failures = message.handling.failures();
    return switch (message.kind) {
      case FINE, SLOW, UNKNOWN_TYPE, UNDECODABLE -> null;
      case FLAKY, HANGING -> entry.tries <= failures ? failed(true) : null;
      case ENDLESS -> failed(true);
      // Until a version is there whose handler is mended.
      case PERMANENT -> entry.tries <= failures ? failed(false) : null;
      case KILLER -> {
        world.fault(InboxFault.KILLED_BY_A_HANDLER);
        process.crash("by " + message);
        yield null;
      }
    };
  }

  private Failure failed(boolean temporary) {
    world.fault(temporary ? InboxFault.HANDLER_FAILED : InboxFault.HANDLER_REFUSED);
    return new Failure(temporary, "planned");
  }

  /** It has returned; the call before in the same transaction counts too. */
  Answer answer(int callsBefore) {
    if (failure != null) {
      if (tasks.size() > 1) {
        world.rare(InboxRare.BATCH_FAILED);
      } else if (shared) {
        world.rare(InboxRare.SHARED_FAILED);
      }
      return new Answer.Threw(failure);
    }
    if (tasks.size() > 1) {
      world.rare(InboxRare.BATCH_HANDLED);
    } else if (callsBefore > 0) {
      world.rare(InboxRare.SHARED_HANDLED);
    }
    if (transaction.showsItsLoss() && world.strikes(world.swarm.faults.rolledBack())) {
      world.fault(InboxFault.ROLLED_BACK_UNSEEN);
      transaction.vanish();
    }
    boolean ended = transaction.apply(tasks) && world.mutation.stopsAfterStatements();
    boolean over = nanos >= InboxMessage.SLOW || world.dice.chance(0.15);
    return new Answer.Handled(nanos / 1_000, ended || (shared && over));
  }

  private InboxMessage message(Task task) {
    return world.message(task.dedupeKey().eventId(), process.consumer);
  }
}

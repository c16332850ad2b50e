package io.waybill.internal.relay.shell;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.work.Mailbox;
import io.waybill.internal.work.Worker;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out effects one after the other on a thread of its own. What it cannot answer ends the
 * thread, and the relay with it.
 */
final class StoreLine implements AutoCloseable {
  private static final long LONGEST_WAIT_NANOS = 1_000_000_000L;

  private final Mailbox<Effect> effects = new Mailbox<>();
  private @Nullable Runnable first;
  private final StoreCalls calls;
  private final Consumer<Object> answers;
  private final Consumer<Throwable> failed;
  private final Worker worker;

  StoreLine(String name, StoreCalls calls, Consumer<Object> answers, Consumer<Throwable> failed) {
    this(name, () -> {}, calls, answers, failed);
  }

  /** The thread does something else first. */
  StoreLine(
      String name,
      Runnable first,
      StoreCalls calls,
      Consumer<Object> answers,
      Consumer<Throwable> failed) {
    this.first = first;
    this.calls = calls;
    this.answers = answers;
    this.failed = failed;
    this.worker = new Worker(name, this::work, failed);
  }

  void put(Effect effect) {
    effects.put(effect);
  }

  private int work() throws InterruptedException {
    Runnable before = first;
    if (before != null) {
      first = null;
      before.run();
    }
    int done = 0;
    for (Effect effect : effects.take(LONGEST_WAIT_NANOS)) {
      try {
        answers.accept(calls.carryOut(effect));
      } catch (RuntimeException e) {
        failed.accept(e);
        throw new InterruptedException();
      }
      done++;
    }
    return done;
  }

  @Override
  public void close() {
    worker.close();
  }
}

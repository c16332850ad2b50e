package io.waybill.relay;

import io.waybill.work.Mailbox;
import io.waybill.work.Worker;
import java.util.function.Consumer;

/** Carries out effects one after the other on a thread of its own. */
final class StoreLine implements AutoCloseable {
  private static final long LONGEST_WAIT_NANOS = 1_000_000_000L;

  private final Mailbox<Effect> effects = new Mailbox<>();
  private final StoreCalls calls;
  private final Consumer<Object> answers;
  private final Worker worker;

  StoreLine(String name, StoreCalls calls, Consumer<Object> answers) {
    this.calls = calls;
    this.answers = answers;
    this.worker = new Worker(name, this::work);
  }

  void put(Effect effect) {
    effects.put(effect);
  }

  private int work() throws InterruptedException {
    int done = 0;
    for (Effect effect : effects.take(LONGEST_WAIT_NANOS)) {
      answers.accept(calls.carryOut(effect));
      done++;
    }
    return done;
  }

  @Override
  public void close() {
    worker.close();
  }
}

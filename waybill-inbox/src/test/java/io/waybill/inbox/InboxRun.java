package io.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** An inbox with tables and broker in memory. */
public abstract class InboxRun {
  public final MemoryStore store = new MemoryStore();
  public final MemoryBroker broker = new MemoryBroker();
  public final List<InboxEvent> told = new CopyOnWriteArrayList<>();
  public final List<String> calls = new CopyOnWriteArrayList<>();
  private @Nullable Inbox inbox;

  public final InboxBuilder builder() {
    return Inbox.builder()
        .name("test")
        .store(store)
        .subscriber(broker)
        .deadLetters(broker.publisher(), Transport.KAFKA)
        .listener(told::add);
  }

  public final void start(InboxBuilder builder) {
    inbox = builder.start();
  }

  public final Inbox inbox() {
    return Objects.requireNonNull(inbox, "started");
  }

  @AfterEach
  public void stop() {
    if (inbox != null) {
      inbox.close();
    }
  }

  public static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  public static RetryPolicy once() {
    return RetryPolicy.builder().attemptLimit(1).build();
  }
}

package io.waybill.examples.wallet;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.Waybill;
import io.waybill.proof.Interrupts;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.store.Polling;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** One run: wallets are used, two workers send, a consumer listens, both sides are compared. */
final class WalletRun {
  private static final int COUNTED_AT_MOST = 100_000;
  private static final long LOOK_MILLIS = 500;
  private static final long CALM_MILLIS = 700;
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final long STUCK_NANOS = Duration.ofMinutes(1).toNanos();

  private final Servers servers;
  private final Polling polling;
  private final PrintStream out;
  private final Interrupts interrupts;
  private final OutboxRepository repository = new OutboxRepository();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicInteger queue = new AtomicInteger();

  WalletRun(Servers servers, Polling polling, PrintStream out, Interrupts interrupts) {
    this.servers = servers;
    this.polling = polling;
    this.out = out;
    this.interrupts = interrupts;
    Gauge.builder("wallet.outbox.queue.size", queue, AtomicInteger::get).register(registry);
  }

  /** Runs so many operations to their reconciliation. */
  Reconciliation run(int operations) throws SQLException, InterruptedException {
    WalletService service = service();
    try (KafkaTail consumer = new KafkaTail(servers.bootstrap(), Servers.TOPICS);
        Waybill first = relay("worker-1");
        Waybill second = relay("worker-2")) {
      say("using wallets, Ctrl-C ends it early");
      int refused = new Traffic(service).run(operations, interrupts::asked);
      int committed = service.operations().size();
      say("%,d operations committed, %,d rolled back", committed, refused);
      awaitAll(consumer, committed);
      first.stop(GRACE);
      second.stop(GRACE);
      awaitLateCopies(consumer);
      Reconciliation result = Reconciliation.of(service.operations(), consumer.messages());
      new Metrics(registry).print(out);
      say("%s", result);
      return result;
    }
  }

  private WalletService service() {
    OutboxService outbox = new OutboxService(repository);
    EventJson json = new EventJson(registry);
    return new WalletService(
        servers.database(),
        new KafkaEventProducer(outbox, json),
        new OutboxEventPublisher(outbox, json));
  }

  private Waybill relay(String name) {
    return WalletRelay.start(name, servers.database(), servers.bootstrap(), polling, registry);
  }

  /** Until all have arrived and are marked, or nothing moves any more. */
  private void awaitAll(KafkaTail consumer, int committed)
      throws SQLException, InterruptedException {
    long moved = System.nanoTime();
    int arrived = -1;
    while (look() > 0 || consumer.count() < committed) {
      if (consumer.count() != arrived) {
        arrived = consumer.count();
        moved = System.nanoTime();
        say("unsent %,6d   received %,6d", queue.get(), arrived);
      } else if (System.nanoTime() - moved > STUCK_NANOS) {
        return;
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static void awaitLateCopies(KafkaTail consumer) throws InterruptedException {
    int arrived;
    do {
      arrived = consumer.count();
      Thread.sleep(CALM_MILLIS);
    } while (consumer.count() > arrived);
  }

  private int look() throws SQLException {
    try (Connection connection = servers.database().source().getConnection()) {
      queue.set(repository.countBySentFalse(connection, COUNTED_AT_MOST));
      return queue.get();
    }
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}

package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.oracle.RabbitMessage;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.DatabaseServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The documented load test: 10,000 events, their throughput, memory and CPU, no duplicates. */
@Tag("server")
abstract class NotificationLoadContract {
  private static final int EVENTS = 10_000;
  private static final int KEYS = 100;
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(3));

  private final DatabaseKind kind;

  NotificationLoadContract(DatabaseKind kind) {
    this.kind = kind;
  }

  @Test
  void tenThousandEventsArriveOnce() throws Exception {
    try (DatabaseServer database = DatabaseServer.launch(kind);
        RabbitServer rabbit = RabbitServer.launch();
        ProducerWorld world = new ProducerWorld(database, rabbit, "producer_load")) {
      write(world);
      RabbitTail tail = world.tail();
      long cpu = cpuNanos();
      long start = System.nanoTime();
      world.start(world.relay("relay"));
      await().atMost(PATIENCE).until(() -> tail.count() > 0);
      long first = System.nanoTime();
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(PATIENCE)
          .until(() -> tail.count() >= EVENTS);
      long last = System.nanoTime();
      await()
          .atMost(PATIENCE)
          .until(() -> "0".equals(world.value(NotificationProducerContract.UNFINISHED)));
      long marked = System.nanoTime();
      report(start, first, last, marked, cpuNanos() - cpu);

      List<String> ids = tail.messages().stream().map(RabbitMessage::id).toList();
      assertThat(ids).hasSize(EVENTS).doesNotHaveDuplicates();
    }
  }

  private static void write(ProducerWorld world) throws Exception {
    try (Connection connection = world.database().getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < EVENTS; i++) {
        String type = ProducerWorld.TYPES.get(i % KEYS % ProducerWorld.TYPES.size());
        world.insert(connection, "evt-%06d".formatted(i), type, i % KEYS);
        if (i % 10 == 9) {
          connection.commit();
        }
      }
    }
  }

  private void report(long start, long first, long last, long marked, long cpu) {
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    System.out.printf(
        "%s to RabbitMQ, %,d events: first after %.2f s, then %,.0f events/s to the queues,"
            + " %,.0f events/s marked; heap %d MiB; CPU of relay and consumer %.0f us per event%n",
        kind,
        EVENTS,
        (first - start) / 1e9,
        EVENTS * 1e9 / (last - first),
        EVENTS * 1e9 / (marked - first),
        heap,
        cpu / 1e3 / EVENTS);
  }

  /** CPU time of this process: relay, consumer and test. */
  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}

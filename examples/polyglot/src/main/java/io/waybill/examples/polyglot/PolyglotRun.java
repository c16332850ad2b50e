package io.waybill.examples.polyglot;

import io.waybill.proof.Interrupts;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One run: services write, the relay publishes, a consumer listens, both sides are compared. */
final class PolyglotRun {
  private static final long LOOK_MILLIS = 300;
  private static final long CALM_MILLIS = 700;
  private static final long STUCK_NANOS = Duration.ofMinutes(1).toNanos();

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final PrintStream out;
  private final Interrupts interrupts;

  PolyglotRun(PostgresServer postgres, KafkaServer kafka, PrintStream out, Interrupts interrupts) {
    this.postgres = postgres;
    this.kafka = kafka;
    this.out = out;
    this.interrupts = interrupts;
  }

  /** Runs to the reconciliation; returns whether it is clean for every service. */
  boolean run(int payments, int emails) throws Exception {
    List<String> topics = Arrays.stream(Service.values()).map(Service::topic).toList();
    try (KafkaTail consumer = new KafkaTail(kafka.bootstrapServers(), topics);
        Programs programs = new Programs(postgres)) {
      Process relay = programs.startRelay(kafka, Map.of());
      List<Process> writers =
          List.of(
              programs.start(Service.PAYMENT, payments),
              programs.start(Service.NOTIFICATION, emails));
      boolean written = awaitWriters(programs, writers);
      awaitArrivals(consumer, programs, relay);
      Programs.stop(relay);
      awaitLateCopies(consumer);
      return reconcile(consumer) && written;
    }
  }

  /** Waits for both; what they printed is shown. Returns whether they ended well. */
  private boolean awaitWriters(Programs programs, List<Process> writers)
      throws IOException, InterruptedException {
    for (Process writer : writers) {
      while (writer.isAlive() && !interrupts.await(LOOK_MILLIS)) {
        // Looking again.
      }
      if (writer.isAlive()) {
        Programs.stop(writer);
      }
    }
    for (Service service : Service.values()) {
      say("%s: %s", service.source(), programs.output(service.source()));
    }
    return interrupts.asked() || writers.stream().allMatch(writer -> writer.exitValue() == 0);
  }

  private void awaitArrivals(KafkaTail consumer, Programs programs, Process relay)
      throws SQLException, IOException, InterruptedException {
    int expected = 0;
    for (Service service : Service.values()) {
      expected += service.committed(postgres).size();
    }
    long moved = System.nanoTime();
    int arrived = -1;
    while (consumer.count() < expected && System.nanoTime() - moved < STUCK_NANOS) {
      if (!relay.isAlive()) {
        throw new IllegalStateException("The relay ended: " + programs.output("relay"));
      }
      if (consumer.count() != arrived) {
        arrived = consumer.count();
        moved = System.nanoTime();
        say("received %,d of %,d", arrived, expected);
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

  private boolean reconcile(KafkaTail consumer) throws SQLException {
    boolean clean = true;
    for (Service service : Service.values()) {
      consumer.messages().stream()
          .filter(message -> message.topic().equals(service.topic()))
          .limit(1)
          .forEach(first -> say("from %s: %s", first.topic(), first.value()));
    }
    for (Service service : Service.values()) {
      Reconciliation result =
          Reconciliation.of(service, service.committed(postgres), consumer.messages());
      say("%s: %s", service.source(), result);
      clean &= result.clean();
    }
    return clean;
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}

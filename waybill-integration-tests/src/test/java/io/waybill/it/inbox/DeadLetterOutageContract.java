package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.Inbox;
import io.waybill.inbox.PermanentException;
import io.waybill.message.ReceivedEvent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Dead letters that can't be published: nothing is acknowledged, lost or done in a hot loop, other
 * keys go on, and after mending the letter arrives before the original is acknowledged. A broker's
 * test extends it.
 */
abstract class DeadLetterOutageContract {
  private static final List<Copies.Copy> EVENTS =
      List.of(
          new Copies.Copy("sick", "poison"),
          new Copies.Copy("sick", "after-it"),
          new Copies.Copy("well", "other-1"),
          new Copies.Copy("well", "other-2"));
  private static final Duration WINDOW = Duration.ofSeconds(4);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  abstract EffectSource source();

  abstract EffectDatabase database(String name);

  @Test
  void aMissingDestinationLosesNothingAndIsTriedWithPauses() throws Exception {
    EffectSource source = source();
    List<String> sources = source.create("letters-missing");
    EffectDatabase database = prepared("letters_missing");
    source.publish("letters-missing", EVENTS);
    LetterFailures failures = new LetterFailures();
    try (Inbox inbox = start(database, sources, failures, () -> {})) {
      await(() -> effects(database).containsAll(List.of("other-1", "other-2")));
      await(() -> failures.count() > 0);
      double share = shareOfACore(WINDOW);
      failures.keptTheirPauses("poison");
      assertThat(failures.count()).as("letters sent").isBetween(2, 12);
      assertThat(share).as("CPU of the inbox's threads").isLessThan(0.3);
      assertThat(effects(database)).containsExactly("other-1", "other-2");
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source.unacknowledged(sources)).isGreaterThanOrEqualTo(2);
    LetterFailures again = new LetterFailures();
    try (Inbox inbox = start(database, sources, again, () -> {})) {
      await(() -> again.count() > 0);
      sources.forEach(name -> source.createLetters(name + ".dlt"));
      mended(source, sources, database);
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source.unacknowledged(sources)).isZero();
  }

  @Test
  @Tag("long")
  void aBrokerThatIsDownLosesNothingAndIsTriedWithPauses() throws Exception {
    EffectSource source = source();
    List<String> sources = source.create("letters-down");
    sources.forEach(name -> source.createLetters(name + ".dlt"));
    EffectDatabase database = prepared("letters_down");
    source.publish("letters-down", EVENTS);
    LetterFailures failures = new LetterFailures();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch down = new CountDownLatch(1);
    Runnable poison =
        () -> {
          reached.countDown();
          try {
            down.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    try (Inbox inbox = start(database, sources, failures, poison)) {
      reached.await();
      await(() -> effects(database).contains("other-2"));
      source.kill();
      down.countDown();
      double share = shareOfACore(WINDOW.multipliedBy(2));
      await(() -> failures.count() > 0);
      failures.keptTheirPauses("poison");
      assertThat(share).as("CPU of the inbox's threads").isLessThan(0.5);
      assertThat(effects(database)).doesNotContain("after-it");
      source.start();
      mended(source, sources, database);
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source.unacknowledged(sources)).isZero();
  }

  /** The letter is there, and what waited behind its original is done. */
  private static void mended(EffectSource source, List<String> sources, EffectDatabase database) {
    await(() -> effects(database).contains("after-it"));
    assertThat(sources.stream().flatMap(name -> source.bodies(name + ".dlt").stream()))
        .isNotEmpty()
        .allSatisfy(letter -> assertThat(letter).contains("\"eventId\":\"poison\""));
    assertThat(effects(database)).containsExactly("after-it", "other-1", "other-2");
  }

  private EffectDatabase prepared(String name) throws SQLException {
    EffectDatabase database = database(name);
    database.createInbox();
    database.run("create table done (event_id varchar(64) primary key)");
    return database;
  }

  private static List<String> effects(EffectDatabase database) {
    return database.texts("select event_id from done order by event_id");
  }

  private Inbox start(
      EffectDatabase database, List<String> sources, LetterFailures failures, Runnable poison) {
    EffectSource source = source();
    return Inbox.builder()
        .name("letters")
        .store(EffectConsumer.store(database.url()))
        .subscriber(EffectConsumer.subscriber(source.kind(), source.address(), sources))
        .deadLetters(
            EffectConsumer.letters(source.kind(), source.address()),
            EffectConsumer.transport(source.kind()))
        .handler(EffectConsumer.TYPE, (event, connection) -> handle(event, connection, poison))
        .listener(failures)
        .start();
  }

  private static void handle(ReceivedEvent event, Connection connection, Runnable poison)
      throws SQLException {
    if (event.id().equals("poison")) {
      poison.run();
      throw new PermanentException("it is the poisonous one");
    }
    try (PreparedStatement done = connection.prepareStatement("insert into done values (?)")) {
      done.setString(1, event.id());
      done.executeUpdate();
    }
  }

  /** What all threads of the inbox use of a core over a time. */
  private static double shareOfACore(Duration window) {
    long before = cpuNanos();
    long start = System.nanoTime();
    await(() -> System.nanoTime() - start >= window.toNanos());
    return (double) (cpuNanos() - before) / (System.nanoTime() - start);
  }

  private static long cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      ThreadInfo info = threads.getThreadInfo(id);
      if (info != null && Objects.toString(info.getThreadName(), "").startsWith("waybill-")) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofMillis(100)).until(condition);
  }
}

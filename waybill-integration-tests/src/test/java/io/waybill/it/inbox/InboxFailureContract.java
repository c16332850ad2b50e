package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.InboxBuilder;
import io.waybill.message.Destination;
import io.waybill.observe.InboxListener;
import io.waybill.testkit.Patience;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Events that fail, on real servers: other keys go on and nothing is lost. While dead letters can't
 * be published nothing is forgotten and nothing done in a hot loop; after mending the letter
 * arrives before what waits behind it is handled. A broker's test extends it.
 */
abstract class InboxFailureContract {
  private static final String NAME = "failures";
  private static final List<Copies.Copy> EVENTS =
      List.of(
          new Copies.Copy("sick", "poison"),
          new Copies.Copy("sick", "after-it"),
          new Copies.Copy("well", "other-1"),
          new Copies.Copy("well", "other-2"));
  private static final Duration WINDOW = Duration.ofSeconds(4);
  private static final Duration LONGEST = Patience.of(Duration.ofSeconds(60));

  // Every thread is in the group of the one that began it: other tests run beside this one.
  private final ThreadGroup threads = new ThreadGroup("inbox");

  abstract EffectSource source();

  abstract EffectDatabase database(String name);

  /** A broker of its own for one test. */
  abstract EffectSource another();

  @Test
  void otherKeysGoOnAndTheFailingOneKeepsItsOrder() throws Exception {
    EffectSource source = source();
    List<String> sources = source.create("failing-key");
    EffectDatabase database = prepared("failing_key");
    source.publish("failing-key", inTurn(20, 5));
    AtomicBoolean failing = new AtomicBoolean(true);
    Before before =
        id -> {
          if (failing.get() && id.startsWith("k0-")) {
            throw new TemporaryException("this key fails for now");
          }
        };
    try (Inbox inbox = start(database, sources, source, InboxListener.NONE, before)) {
      await(() -> database.number("select count(*) from waybill_inbox_deferred") == 5);
      await(() -> effects(database).size() == 95);
      failing.set(false);
      await(() -> effects(database).size() == 100);
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(effects(database).stream().filter(id -> id.startsWith("k0-")))
        .containsExactly("k0-1", "k0-2", "k0-3", "k0-4", "k0-5");
    assertThat(source.unacknowledged(sources)).isZero();
  }

  /** Events of keys that take turns. */
  private static List<Copies.Copy> inTurn(int keys, int numbers) {
    List<Copies.Copy> events = new ArrayList<>();
    for (int number = 1; number <= numbers; number++) {
      for (String key : Copies.keys(keys)) {
        events.add(new Copies.Copy(key, key + "-" + number));
      }
    }
    return events;
  }

  @Test
  void aMissingDestinationLosesNothingAndIsTriedWithPauses() throws Exception {
    EffectSource source = source();
    missing(
        "letters-missing",
        EffectConsumer.places(source.kind()),
        sources -> sources.forEach(name -> source.createLetters(name + ".dlt")));
  }

  /**
   * Letters have no place until it is made.
   *
   * @param name of topic or queues
   * @param places where letters go
   * @param make makes the place
   */
  final void missing(String name, Function<String, Destination> places, Consumer<List<String>> make)
      throws Exception {
    EffectSource source = source();
    List<String> sources = source.create(name);
    EffectDatabase database = prepared(name.replace('-', '_'));
    source.publish(name, EVENTS);
    DeadLetterFailures failures = new DeadLetterFailures();
    Letters letters = new Letters(source, places);
    try (Inbox inbox =
        start(database, sources, letters, failures, InboxFailureContract::failForGood)) {
      await(() -> effects(database).containsAll(List.of("other-1", "other-2")));
      await(() -> failures.count() > 0);
      double share = shareOfACore(WINDOW);
      failures.keptTheirPauses("poison");
      assertThat(failures.count()).as("letters sent").isBetween(2, 12);
      assertThat(share).as("CPU of the inbox's threads").isLessThan(0.3);
      assertThat(effects(database)).containsExactly("other-1", "other-2");
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(database.texts("select event_id from waybill_inbox_deferred order by seq"))
        .as("on record, with what waits behind it")
        .containsExactly("poison", "after-it");
    DeadLetterFailures again = new DeadLetterFailures();
    try (Inbox inbox =
        start(database, sources, letters, again, InboxFailureContract::failForGood)) {
      await(() -> again.count() > 0);
      make.accept(sources);
      mended(source, sources, database);
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source.unacknowledged(sources)).isZero();
  }

  @Test
  @Tag("long")
  void aBrokerOfLettersThatIsDownLosesNothingAndIsTriedWithPauses() throws Exception {
    EffectSource source = source();
    List<String> sources = source.create("letters-down");
    EffectDatabase database = prepared("letters_down");
    source.publish("letters-down", EVENTS);
    DeadLetterFailures failures = new DeadLetterFailures();
    try (EffectSource letters = another()) {
      sources.forEach(name -> letters.createLetters(name + ".dlt"));
      letters.kill();
      try (Inbox inbox =
          start(database, sources, letters, failures, InboxFailureContract::failForGood)) {
        await(() -> effects(database).containsAll(List.of("other-1", "other-2")));
        double share = shareOfACore(WINDOW);
        await(() -> failures.count() > 1);
        failures.keptTheirPauses("poison");
        assertThat(share).as("CPU of the inbox's threads").isLessThan(0.3);
        assertThat(effects(database)).containsExactly("other-1", "other-2");
        letters.start();
        mended(letters, sources, database);
        assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
      }
    }
    assertThat(source.unacknowledged(sources)).isZero();
  }

  @Test
  @Tag("long")
  void aBrokerThatDiesBeforeTheLetterLosesNothing() throws Exception {
    EffectSource source = source();
    List<String> sources = source.create("broker-down");
    sources.forEach(name -> source.createLetters(name + ".dlt"));
    EffectDatabase database = prepared("broker_down");
    source.publish("broker-down", EVENTS);
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch down = new CountDownLatch(1);
    Before before =
        id -> {
          if (id.equals("poison")) {
            reached.countDown();
            down.await();
          }
          failForGood(id);
        };
    try (Inbox inbox = start(database, sources, source, InboxListener.NONE, before)) {
      reached.await();
      await(() -> effects(database).contains("other-2"));
      source.kill();
      down.countDown();
      assertThat(shareOfACore(WINDOW)).as("CPU of the inbox's threads").isLessThan(0.3);
      assertThat(effects(database)).doesNotContain("after-it");
      source.start();
      mended(source, sources, database);
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source.unacknowledged(sources)).isZero();
  }

  /** The letter is there, and what waited behind its original is done. */
  private static void mended(EffectSource letters, List<String> sources, EffectDatabase database) {
    await(() -> effects(database).contains("after-it"));
    assertThat(sources.stream().flatMap(name -> letters.bodies(name + ".dlt").stream()))
        .isNotEmpty()
        .allSatisfy(letter -> assertThat(letter).contains("\"eventId\":\"poison\""));
    assertThat(effects(database)).containsExactlyInAnyOrder("after-it", "other-1", "other-2");
  }

  final EffectDatabase prepared(String name) throws SQLException {
    EffectDatabase database = database(name);
    database.createInbox();
    database.run("create table done (n serial primary key, event_id varchar(64) not null unique)");
    return database;
  }

  /** The events that are done, in the order in which they were. */
  private static List<String> effects(EffectDatabase database) {
    return database.texts("select event_id from done order by n");
  }

  /** What happens before the effect of an event. */
  @FunctionalInterface
  private interface Before {
    void effect(String eventId) throws Exception;
  }

  private static void failForGood(String id) {
    if (id.equals("poison")) {
      throw new PermanentException("it is the poisonous one");
    }
  }

  /** Where dead letters go. */
  private record Letters(EffectSource broker, Function<String, Destination> places) {}

  private Inbox start(
      EffectDatabase database,
      List<String> sources,
      EffectSource letters,
      InboxListener listener,
      Before before) {
    Letters usual = new Letters(letters, EffectConsumer.places(letters.kind()));
    return start(database, sources, usual, listener, before);
  }

  private Inbox start(
      EffectDatabase database,
      List<String> sources,
      Letters letters,
      InboxListener listener,
      Before before) {
    EffectSource source = source();
    InboxBuilder inbox =
        Inbox.builder()
            .name(NAME)
            .store(EffectConsumer.store(database.url()))
            .subscriber(EffectConsumer.subscriber(source.kind(), source.address(), sources))
            .deadLetters(
                EffectConsumer.letters(letters.broker().kind(), letters.broker().address()),
                letters.places())
            .handler(
                EffectConsumer.TYPE,
                (event, connection) -> {
                  before.effect(event.id());
                  insert(connection, event.id());
                })
            .listener(listener);
    FutureTask<Inbox> started = new FutureTask<>(inbox::start);
    new Thread(threads, started, "start").start();
    try {
      return started.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError("the inbox did not start", e);
    }
  }

  private static void insert(Connection connection, String id) throws SQLException {
    try (PreparedStatement done =
        connection.prepareStatement("insert into done (event_id) values (?)")) {
      done.setString(1, id);
      done.executeUpdate();
    }
  }

  /** What all threads of the inbox, subscriber and clients use of a core over a time. */
  private double shareOfACore(Duration window) {
    long before = cpuNanos();
    long start = System.nanoTime();
    await(() -> System.nanoTime() - start >= window.toNanos());
    return (double) (cpuNanos() - before) / (System.nanoTime() - start);
  }

  private long cpuNanos() {
    ThreadMXBean times = ManagementFactory.getThreadMXBean();
    Thread[] all = new Thread[threads.activeCount() + 100];
    int number = threads.enumerate(all);
    assertThat(Stream.of(all).limit(number).map(Thread::getName))
        .as("threads of the inbox and of its clients")
        .anyMatch(name -> name.startsWith("waybill-" + NAME + "-"))
        .anyMatch(name -> name.endsWith("-subscriber") || name.contains("-subscriber-"));
    return Stream.of(all)
        .limit(number)
        .mapToLong(thread -> Math.max(0, times.getThreadCpuTime(thread.getId())))
        .sum();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofMillis(100)).until(condition);
  }
}

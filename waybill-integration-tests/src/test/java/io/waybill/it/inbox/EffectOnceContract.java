package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The effect of each event happens once and in the order of its key, with copies, kills and
 * rebalances. A broker's test extends it.
 */
abstract class EffectOnceContract {
  private static final int DELIVERIES = 200_000;
  private static final int KILLS = 20;
  private static final int ROUNDS = 3;

  /** How a process ends that was killed with signal 9. */
  private static final int KILLED = 128 + 9;

  private static final Duration LONGEST = Duration.ofMinutes(40);

  abstract EffectSource source();

  abstract EffectDatabase database(String name);

  /**
   * How much is done.
   *
   * @param keys keys of the events
   * @param numbers events of each key
   * @param processes consumers at a time
   * @param kills how many of them are killed, each after the pause
   * @param pause time between two kills
   */
  private record Size(int keys, int numbers, int processes, int kills, Duration pause) {
    int events() {
      return keys * numbers;
    }
  }

  @Test
  void everyEffectIsOneWithCopiesAndKills() throws Exception {
    run("quick", new Size(10, 12, 2, 1, Duration.ZERO));
  }

  @Test
  @Tag("long")
  void everyEffectIsOneOverTwoHundredThousandDeliveries() throws Exception {
    Done done = run("full", new Size(1_000, 58, 4, KILLS, Duration.ofSeconds(12)));
    assertThat(done.deliveries()).isGreaterThanOrEqualTo(DELIVERIES);
    assertThat(done.kills()).isEqualTo(KILLS);
    assertThat(done.moves()).as("lanes that went to another process").isGreaterThan(KILLS);
  }

  /**
   * What the processes saw.
   *
   * @param deliveries messages that they received
   * @param kills processes that signal 9 ended
   * @param moves how often a lane came to a process that had not had it before, but the first
   */
  private record Done(long deliveries, long kills, int moves) {}

  private Done run(String name, Size size) throws Exception {
    EffectDatabase database = database("effects_" + name);
    database.prepare(size.keys(), size.numbers());
    List<String> sources = source().create("effects-" + name);
    List<Copies.Copy> copies = Copies.of(size.keys(), size.numbers(), 7);
    assertThat(copies.size()).isGreaterThan(2 * size.events());
    Path folder = Files.createTempDirectory("waybill-effects");
    long begin = System.nanoTime();
    Done done;
    try (ProcessGuard guard = new ProcessGuard(folder)) {
      Consumers consumers = new Consumers(guard, folder, database.url(), source(), sources);
      for (int i = 0; i < size.processes(); i++) {
        consumers.start();
      }
      int half = copies.size() / 2;
      source().publish("effects-" + name, copies.subList(0, half));
      await(() -> database.number("select count(*) from effect where n > 0") > 0);
      // Whatever the speed, something is under way at each kill.
      for (int kill = 0; kill < size.kills(); kill++) {
        int from = half + part(copies.size() - half, kill, size.kills());
        int to = half + part(copies.size() - half, kill + 1, size.kills());
        source().publish("effects-" + name, copies.subList(from, to));
        consumers.killOneAndStartAnother(kill);
        long next = System.nanoTime() + size.pause().toNanos();
        await(() -> System.nanoTime() >= next);
      }
      await(() -> database.number("select count(*) from effect where n = 0") == 0);
      int moves = consumers.moves();
      awaitAcknowledged(sources, consumers);
      done = new Done(consumers.deliveries(), consumers.kills(), moves);
    }
    assertThat(done.deliveries()).isGreaterThanOrEqualTo(copies.size());
    assertThat(done.kills()).isEqualTo(size.kills());
    assertThat(database.number("select count(*) from effect where n = 1")).isEqualTo(size.events());
    assertThat(database.number("select count(*) from disorder")).isZero();
    assertThat(database.number("select count(*) from progress where last = " + size.numbers()))
        .isEqualTo(size.keys());
    System.out.printf(
        "%s %s: %d events, %d messages, all acknowledged; %d deliveries, %d consumers killed, %d"
            + " moves of lanes to another process; %d effects once, 0 out of order; %d s%n",
        getClass().getSimpleName(),
        name,
        size.events(),
        copies.size(),
        done.deliveries(),
        done.kills(),
        done.moves(),
        size.events(),
        Duration.ofNanos(System.nanoTime() - begin).toSeconds());
    return done;
  }

  private void awaitAcknowledged(List<String> sources, Consumers consumers)
      throws InterruptedException {
    for (int round = 1; !isAllAcknowledged(sources, consumers); round++) {
      assertThat(round).as("rounds with messages that nobody acknowledged").isLessThan(ROUNDS);
      consumers.start();
    }
  }

  /**
   * Copies lie behind the last first one, which are to be taken for copies, too. RabbitMQ tells
   * what consumers hold unacknowledged only when they have ended.
   */
  private boolean isAllAcknowledged(List<String> sources, Consumers consumers)
      throws InterruptedException {
    Awaitility.await()
        .atMost(LONGEST)
        .during(source().held())
        .pollInterval(Duration.ofMillis(200))
        .until(() -> source().unacknowledged(sources) == 0);
    consumers.stopAll();
    long settled = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    await(() -> System.nanoTime() >= settled);
    return source().unacknowledged(sources) == 0;
  }

  private static int part(int all, int number, int of) {
    return (int) ((long) all * number / of);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofMillis(200)).until(condition);
  }

  /** The processes. */
  private static final class Consumers {
    private final ProcessGuard guard;
    private final Path folder;
    private final List<String> arguments;
    private final List<Process> all = new ArrayList<>();
    private final List<Process> running = new ArrayList<>();
    private final Random random = new Random(11);

    Consumers(
        ProcessGuard guard, Path folder, String url, EffectSource source, List<String> sources) {
      this.guard = guard;
      this.folder = folder;
      this.arguments = List.of(url, source.kind(), source.address(), String.join(",", sources));
    }

    void start() {
      List<String> command =
          new ArrayList<>(
              List.of(
                  System.getProperty("java.home") + "/bin/java",
                  "-Xmx128m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  EffectConsumer.class.getName()));
      command.addAll(arguments);
      Process process = guard.run("consumer-" + all.size(), Map.of(), command);
      all.add(process);
      running.add(process);
    }

    /** Mostly the oldest, which has all queues of RabbitMQ in the end. */
    void killOneAndStartAnother(int kill) throws InterruptedException, IOException {
      Process process = running.remove(kill % 4 == 3 ? random.nextInt(running.size()) : 0);
      assertThat(process.isAlive())
          .as("consumer lives, or has said why not: %s", end(process))
          .isTrue();
      assertThat(process.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
      start();
    }

    private Path log(Process process) {
      return folder.resolve("consumer-" + all.indexOf(process) + ".out");
    }

    private String end(Process process) throws IOException {
      String text = Files.readString(log(process));
      return text.substring(Math.max(0, text.length() - 3_000));
    }

    /** All of them have ended. */
    long kills() {
      return all.stream().filter(process -> process.exitValue() == KILLED).count();
    }

    long deliveries() throws IOException {
      long sum = 0;
      for (Process process : all) {
        sum += said(process, NotedSubscriber.RECEIVED).stream().mapToLong(Long::parseLong).sum();
      }
      return sum;
    }

    /** What stands behind such a start of a line. */
    private List<String> said(Process process, String start) throws IOException {
      try (Stream<String> lines = Files.lines(log(process))) {
        return lines
            .filter(line -> line.startsWith(start))
            .map(line -> line.substring(start.length()))
            .toList();
      }
    }

    void stopAll() throws InterruptedException {
      running.forEach(Process::destroy);
      for (Process process : running) {
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("ends in order").isTrue();
      }
      running.clear();
    }

    /** A lane that comes back to a process that had it has not moved. */
    int moves() throws IOException {
      List<String> taken = new ArrayList<>();
      for (Process process : all) {
        taken.addAll(new HashSet<>(said(process, NotedSubscriber.TOOK)));
      }
      return taken.size() - new HashSet<>(taken).size();
    }
  }
}

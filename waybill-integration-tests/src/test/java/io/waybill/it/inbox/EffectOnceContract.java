package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.ProcessGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The effect of each event happens once and in the order of its key, with copies, kills and
 * rebalances. A broker's test extends it.
 */
abstract class EffectOnceContract {
  private static final Duration LONGEST = Duration.ofMinutes(40);

  abstract EffectSource source();

  abstract EffectDatabase database(String name);

  @Test
  void everyEffectIsOneWithCopiesAndKills() throws Exception {
    run("quick", 10, 12, 2, 1, Duration.ofSeconds(3));
  }

  @Test
  @Tag("long")
  void everyEffectIsOneOverTwoHundredThousandDeliveries() throws Exception {
    run("full", 1_000, 58, 4, Integer.MAX_VALUE, Duration.ofSeconds(15));
  }

  private void run(String name, int keys, int numbers, int processes, int kills, Duration pause)
      throws Exception {
    EffectDatabase database = database("effects_" + name);
    prepare(database, keys, numbers);
    List<String> sources = source().create("effects-" + name);
    List<Copies.Copy> copies = Copies.of(keys, numbers, 7);
    assertThat(copies.size()).isGreaterThan(2 * keys * numbers);
    Path folder = Files.createTempDirectory("waybill-effects");
    try (ProcessGuard guard = new ProcessGuard(folder)) {
      Consumers consumers = new Consumers(guard, folder, database.url(), source(), sources);
      for (int i = 0; i < processes; i++) {
        consumers.start();
      }
      int half = copies.size() / 2;
      source().publish("effects-" + name, copies.subList(0, half));
      await(database, "select count(*) from effect where n > 0", 1);
      int killed = 0;
      Thread rest =
          new Thread(
              () -> source().publish("effects-" + name, copies.subList(half, copies.size())));
      rest.start();
      long begin = System.nanoTime();
      long next = begin;
      // Copies lie behind the last first one, which are to be taken for copies, too.
      while (database.number("select count(*) from effect where n = 0") > 0
          || rest.isAlive()
          || source().unacknowledged(sources) > 0) {
        if (killed < kills && System.nanoTime() - next >= 0) {
          killed++;
          consumers.killOneAndStartAnother();
          next = System.nanoTime() + pause.toNanos();
        }
        assertThat(System.nanoTime() - begin)
            .as("time without end: %s", folder)
            .isLessThan(LONGEST.toNanos());
        rest.join(200);
      }
      consumers.stopAll();
      assertThat(killed).isPositive();
    }
    int events = keys * numbers;
    assertThat(database.number("select count(*) from effect where n = 1")).isEqualTo(events);
    assertThat(database.number("select count(*) from disorder")).isZero();
    assertThat(database.number("select count(*) from progress where last = " + numbers))
        .isEqualTo(keys);
  }

  private static void prepare(EffectDatabase database, int keys, int numbers) throws SQLException {
    database.createInbox();
    database.run("create table effect (event_id varchar(64) primary key, n integer not null)");
    database.run("create table progress (k varchar(64) primary key, last integer not null)");
    database.run("create table disorder (event_id varchar(64) not null)");
    try (Connection connection = DriverManager.getConnection(database.url())) {
      connection.setAutoCommit(false);
      try (PreparedStatement effect =
              connection.prepareStatement("insert into effect values (?, 0)");
          PreparedStatement progress =
              connection.prepareStatement("insert into progress values (?, 0)")) {
        for (String key : Copies.keys(keys)) {
          progress.setString(1, key);
          progress.addBatch();
          for (int number = 1; number <= numbers; number++) {
            effect.setString(1, key + "-" + number);
            effect.addBatch();
          }
        }
        effect.executeBatch();
        progress.executeBatch();
      }
      connection.commit();
    }
  }

  private static void await(EffectDatabase database, String sql, long least) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> database.number(sql) >= least);
  }

  /** The processes. */
  private static final class Consumers {
    private final ProcessGuard guard;
    private final Path folder;
    private final List<String> arguments;
    private final List<Process> running = new ArrayList<>();
    private final Random random = new Random(11);
    private int started;

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
      running.add(guard.run("consumer-" + ++started, Map.of(), command));
    }

    void killOneAndStartAnother() throws InterruptedException, IOException {
      Process process = running.remove(random.nextInt(running.size()));
      assertThat(process.isAlive()).as("consumer, see %s: %s", folder, log()).isTrue();
      assertThat(process.destroyForcibly().waitFor(10, TimeUnit.SECONDS)).isTrue();
      start();
    }

    private String log() throws IOException {
      String all = Files.readString(folder.resolve("consumer-1.out"));
      return all.substring(Math.max(0, all.length() - 3_000));
    }

    void stopAll() throws InterruptedException {
      running.forEach(Process::destroy);
      for (Process process : running) {
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("ends in order").isTrue();
      }
    }
  }
}

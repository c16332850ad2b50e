package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An event whose handler ends the process, on real servers. */
@Tag("server")
@Tag("long")
class PoisonTest {
  private static final String POISON = "k1-2";
  private static final Duration LONGEST = Patience.of(Duration.ofMinutes(3));

  @Test
  void whatHasKilledProcessesThreeTimesIsADeadLetterAndTheOthersGoOn() throws Exception {
    Path folder = Files.createTempDirectory("waybill-poison");
    try (KafkaServer broker = KafkaSource.launch();
        PostgresServer databases = PostgresServer.launch();
        ProcessGuard guard = new ProcessGuard(folder)) {
      EffectDatabase database = EffectDatabase.create(databases, "poison");
      database.prepare(3, 4);
      KafkaSource source = new KafkaSource(broker);
      List<String> topics = source.create("poison");
      source.createLetters("poison.dlt");
      source.publish("poison", events());
      List<String> command =
          List.of(
              System.getProperty("java.home") + "/bin/java",
              "-Xmx128m",
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              EffectConsumer.class.getName(),
              database.url(),
              source.kind(),
              source.address(),
              topics.get(0),
              POISON);
      int deaths = 0;
      Process process = guard.run("consumer-0", Map.of(), command);
      while (!isDone(database, source, topics, process)) {
        assertThat(process.waitFor()).as(folder.toString()).isEqualTo(EffectConsumer.KILLED);
        deaths++;
        process = guard.run("consumer-" + deaths, Map.of(), command);
      }
      process.destroy();
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("ends in order").isTrue();

      // The first delivery of a new group is no suspect, and its start not noted; the next is
      // handled beside others.
      assertThat(deaths).isEqualTo(5);
      assertThat(source.bodies("poison.dlt"))
          .singleElement()
          .satisfies(
              letter ->
                  assertThat(letter)
                      .contains(
                          "\"eventId\":\"" + POISON + "\"", "while it was handling this event"));
      assertThat(database.texts("select event_id from effect where n <> 1"))
          .as("nothing of its effect is left, every other one is there once")
          .containsExactly(POISON);
      assertThat(database.texts("select event_id from disorder"))
          .as("what follows it misses it, nothing else is out of order")
          .containsExactlyInAnyOrder("k1-3", "k1-4");
    }
  }

  /** Waits until the process has died or all is done. */
  private static boolean isDone(
      EffectDatabase database, KafkaSource source, List<String> topics, Process process) {
    Callable<Boolean> all =
        () ->
            database.number("select count(*) from effect where n = 1") == 11
                && source.unacknowledged(topics) == 0;
    Awaitility.await()
        .atMost(LONGEST)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> !process.isAlive() || all.call());
    return process.isAlive();
  }

  private static List<Copies.Copy> events() {
    List<Copies.Copy> events = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      for (String key : Copies.keys(3)) {
        events.add(new Copies.Copy(key, key + "-" + number));
      }
    }
    return events;
  }
}

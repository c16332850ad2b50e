package io.waybill.torture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.torture.planted.ConsumerBug;
import io.waybill.torture.planted.PlantedBug;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TortureOptionsTest {
  @Test
  void everyOptionIsTaken() {
    TortureOptions options =
        TortureOptions.parse(
            "--minutes",
            "1.5",
            "--pair",
            "mariadb-rabbitmq",
            "--layout",
            "notification",
            "--seed",
            "42",
            "--rate",
            "100",
            "--keep",
            "/tmp/x",
            "--faults",
            "queue-full,relay-kill",
            "--json");

    assertThat(options)
        .isEqualTo(
            new TortureOptions(
                Pair.MARIADB_RABBITMQ,
                false,
                true,
                42,
                Duration.ofSeconds(90),
                100,
                true,
                Path.of("/tmp/x"),
                null,
                null,
                Set.of(FaultKind.QUEUE_FULL, FaultKind.RELAY_KILL)));
  }

  @Test
  void consumersHaveFaultsAndBugsOfTheirOwn() {
    TortureOptions options =
        TortureOptions.parse(
            "--consumers", "--faults", "consumer-kill,topic-grown", "--bug", "loses-keys");

    assertThat(options.consumers()).isTrue();
    assertThat(options.rate()).isEqualTo(100);
    assertThat(options.faults()).containsOnly(FaultKind.CONSUMER_KILL, FaultKind.TOPIC_GROWN);
    assertThat(options.bug()).isNull();
    assertThat(options.consumerBug()).isEqualTo(ConsumerBug.LOSES_KEYS);
    assertThatThrownBy(() -> TortureOptions.parse("--consumers", "--bug", "none"))
        .hasMessageStartingWith("--bug of consumers must be one of acknowledges-first, ")
        .hasMessageEndingWith(", is 'none'");
    assertThatThrownBy(() -> TortureOptions.parse("--consumers", "--faults", "relay-kill"))
        .hasMessage("--faults relay-kill happens to relays only");
    assertThatThrownBy(() -> TortureOptions.parse("--faults", "topic-grown"))
        .hasMessage("--faults topic-grown happens to consumers only");
    assertThatThrownBy(
            () ->
                TortureOptions.parse(
                    "--consumers", "--pair", "mariadb-rabbitmq", "--faults", "topic-remade"))
        .hasMessage("--faults topic-remade needs a pair with kafka, has mariadb-rabbitmq");
    assertThatThrownBy(
            () ->
                TortureOptions.parse(
                    "--consumers", "--pair", "mariadb-rabbitmq", "--layout", "notification"))
        .hasMessage("--layout is one of relays, not of --consumers");
  }

  @Test
  void eachPlantedBugHasItsName() {
    for (PlantedBug bug : PlantedBug.values()) {
      assertThat(TortureOptions.parse("--bug", bug.label()).bug()).isEqualTo(bug);
    }
    assertThatThrownBy(() -> TortureOptions.parse("--bug", "none"))
        .hasMessageStartingWith("--bug must be one of mark-before-confirm, ")
        .hasMessageEndingWith(", is 'none'");
  }

  @Test
  void helpPrintsTheUsageAndIsNoError() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    assertThat(run(out, err, "--help")).isZero();
    assertThat(out.toString(UTF_8)).startsWith("usage: torture").contains("--seed");
    assertThat(err.size()).isZero();

    assertThat(run(out, err, "--nonsense")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("usage: torture", "unknown option --nonsense");
  }

  private static int run(OutputStream out, OutputStream err, String... args) {
    return Torture.run(args, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  @Test
  void eachPairHasItsName() {
    for (Pair pair : Pair.values()) {
      assertThat(TortureOptions.parse("--pair", pair.label()).pair()).isEqualTo(pair);
    }
  }

  @Test
  void whatCannotBeIsRefusedWithItsRuleAndValue() {
    assertThatThrownBy(() -> TortureOptions.parse("--nonsense"))
        .hasMessage("unknown option --nonsense");
    assertThatThrownBy(() -> TortureOptions.parse("--pair", "oracle-kafka"))
        .hasMessage(
            "--pair must be one of postgresql-kafka, postgresql-rabbitmq, mariadb-kafka,"
                + " mariadb-rabbitmq, mysql-kafka, is 'oracle-kafka'");
    assertThatThrownBy(() -> TortureOptions.parse("--minutes", "0.1"))
        .hasMessage("--minutes must be from 0.5 to 10080, is 0.1");
    assertThatThrownBy(() -> TortureOptions.parse("--faults", "none"))
        .hasMessageStartingWith("--faults must be of relay-kill, ")
        .hasMessageEndingWith(", is 'none'");
    assertThatThrownBy(() -> TortureOptions.parse("--rate", "4"))
        .hasMessage("--rate must be from 5 to 100000, is 4");
    assertThatThrownBy(() -> TortureOptions.parse("--seed", "x"))
        .hasMessage("--seed must be a number, is 'x'");
    assertThatThrownBy(() -> TortureOptions.parse("--json", "--keep"))
        .hasMessage("--keep needs a value");
    assertThatThrownBy(() -> TortureOptions.parse("--layout", "notification"))
        .hasMessage("--layout notification needs a pair with rabbitmq, has postgresql-kafka");
    assertThatThrownBy(
            () -> TortureOptions.parse("--pair", "mariadb-kafka", "--faults", "database-fail-over"))
        .hasMessage("--faults database-fail-over needs a pair with postgresql, has mariadb-kafka");
    assertThatThrownBy(() -> TortureOptions.parse("--faults", "relay-kill,queue-full"))
        .hasMessage("--faults queue-full needs a pair with rabbitmq, has postgresql-kafka");
    String[] noHands = {
      "--pair", "mariadb-rabbitmq", "--layout", "notification", "--faults", "rows-by-sql"
    };
    assertThatThrownBy(() -> TortureOptions.parse(noHands))
        .hasMessage("--faults rows-by-sql needs --layout waybill, has notification");
  }

  @Test
  void theResultIsOneObjectWithTheDocumentedMembers() {
    Outcome.Counts counts = new Outcome.Counts(1, 2, 3, 4, 5, 6, 7);
    Outcome outcome = new Outcome("p", 9, 10, 11, 12, counts, 13.14, List.of("x"));

    assertThat(outcome.holds()).isFalse();
    assertThat(outcome.json())
        .isEqualTo(
            "{\"pair\":\"p\",\"seed\":9,\"events\":10,\"faults\":11,\"kills\":12,\"lost\":1,"
                + "\"ghosts\":2,\"orderViolations\":3,\"duplicates\":4,"
                + "\"unexplainedDuplicates\":5,\"dead\":6,\"parked\":7,"
                + "\"convergenceSeconds\":13.1}");
  }
}

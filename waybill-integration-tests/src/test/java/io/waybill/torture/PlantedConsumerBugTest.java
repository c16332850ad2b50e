package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
import io.waybill.torture.planted.ConsumerBug;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each of these is there at once and all the time, so that half a minute shows it. */
@Tag("server")
@Tag("long")
class PlantedConsumerBugTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "acknowledges-first|postgresql-kafka|consumer-kill|(lost)",
        "effect-apart|mariadb-rabbitmq|consumer-kill|(twice)",
        "notes-nothing|mariadb-kafka|consumer-kill|(twice)",
        "forgets-deferred|postgresql-rabbitmq|consumer-kill|(lost)",
        "loses-keys|postgresql-rabbitmq|consumer-kill|out of the order of their keys",
        "believes-positions|postgresql-kafka|topic-remade|(lost)",
        "ignores-new-partitions|mariadb-kafka|topic-grown|(lost)",
        "blames-the-event|mariadb-rabbitmq|database-read-only|are dead and had nothing wrong",
      })
  void theOracleFindsWhatWasPlanted(String bug, String pair, String faults, String finding)
      throws Exception {
    TortureOptions options =
        TortureOptions.parse(
            "--consumers",
            "--pair",
            pair,
            "--seed",
            "1",
            "--minutes",
            "0.5",
            "--bug",
            bug,
            "--faults",
            faults,
            "--keep",
            Path.of("target", "torture").toString());
    assertThat(options.consumerBug()).isEqualTo(ConsumerBug.of(bug));

    Outcome outcome = new ConsumerRun(options, System.out, new Interrupts()).run();

    assertThat(outcome.holds()).isFalse();
    assertThat(outcome.findings()).anyMatch(found -> found.contains(finding));
  }
}

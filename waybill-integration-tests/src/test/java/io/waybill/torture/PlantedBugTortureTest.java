package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.Interrupts;
import io.waybill.torture.planted.PlantedBug;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each of these is there at once and all the time, so that half a minute shows it. */
@Tag("server")
@Tag("long")
class PlantedBugTortureTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reads-without-order|postgresql-kafka|relay-kill|out of the order of their keys",
        "line-ends-silently|postgresql-kafka|relay-kill|lost",
        "payload-logged|mariadb-rabbitmq|relay-kill|a payload or secret was logged",
        "parks-on-refusal|postgresql-kafka|access-refused|are parked or held",
        "believes-its-memory|mariadb-rabbitmq|rows-by-sql|lost",
        "dates-by-creation|mariadb-kafka|old-events|because of their times",
        "dead-stays-dead|mariadb-rabbitmq|rows-by-sql|lost",
        "remembers-the-old-server|postgresql-rabbitmq|database-fail-over|neither published nor given up",
      })
  void theOracleFindsWhatWasPlanted(String bug, String pair, String faults, String finding)
      throws Exception {
    TortureOptions options =
        TortureOptions.parse(
            "--pair",
            pair,
            "--seed",
            "1",
            "--minutes",
            "0.5",
            "--rate",
            "100",
            "--bug",
            bug,
            "--faults",
            faults,
            "--keep",
            Path.of("target", "torture").toString());
    assertThat(options.bug()).isEqualTo(PlantedBug.of(bug));

    Outcome outcome = new TortureRun(options, System.out, new Interrupts()).run();

    assertThat(outcome.holds()).isFalse();
    assertThat(outcome.findings()).anyMatch(found -> found.contains(finding));
  }
}

package io.waybill.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RivalsTest {
  @Test
  void aRivalWithClassPathIsThereTunedAndAtItsDefaultsAndTheOthersAreNamed(@TempDir Path modules)
      throws IOException {
    Path target = Files.createDirectories(modules.resolve("debezium/target"));
    Files.writeString(
        target.resolve("rival.classpath"), "/m2/a-1.jar:/m2/debezium-embedded-3.6.1.Final.jar\n");
    Files.createDirectories(modules.resolve("target"));
    Files.writeString(
        modules.resolve("target/rivals.log"),
        "[ERROR] Failed to execute goal on project waybill-rival-tutorial: Could not resolve x:y\n");

    Rivals rivals = Rivals.in(modules);

    assertThat(rivals.found())
        .extracting(Rival::label)
        .containsExactly("debezium", "debezium-default");
    assertThat(rivals.found()).extracting(Rival::version).containsOnly("3.6.1.Final");
    assertThat(rivals.missing())
        .extracting(Rivals.Missing::name)
        .containsExactly(
            "namastack",
            "modulith",
            "transaction-outbox",
            "transaction-outbox-ordered",
            "tutorial");
    assertThat(rivals.missing().get(3).reason()).contains("4.2.268");
    assertThat(rivals.missing().get(4).reason()).contains("Could not resolve x:y");
    assertThat(rivals.missing().get(0).reason()).startsWith("it was not built");
  }

  @Test
  void namesAreThoseOfTheDocumentedCandidates() {
    assertThat(RivalKind.values())
        .flatExtracting(RivalKind::candidates)
        .contains("debezium", "namastack-default", "modulith", "transaction-outbox-ordered");
  }
}

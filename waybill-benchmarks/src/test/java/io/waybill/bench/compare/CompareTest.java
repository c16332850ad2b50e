package io.waybill.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.bench.stage.Candidate;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CompareTest {
  private static CompareOptions parsed(String... args) {
    Compare compare = new Compare();
    new CommandLine(compare).parseArgs(args);
    return compare.options();
  }

  @Test
  void fullIsTheDefaultAndHasThreeRounds() {
    assertThat(parsed()).isEqualTo(CompareOptions.FULL).isEqualTo(parsed("--full"));
    assertThat(parsed().rounds()).isEqualTo(3);
    assertThat(parsed().quick()).isFalse();
  }

  @Test
  void quickIsOneCappedRound() {
    CompareOptions quick = parsed("--quick");
    assertThat(quick.quick()).isTrue();
    assertThat(quick.rounds()).isEqualTo(1);
    assertThat(quick.capSeconds()).isLessThan(CompareOptions.FULL.capSeconds());
  }

  @Test
  void everySizeCanBeSet() {
    CompareOptions options =
        parsed(
            "--quick",
            "--rounds",
            "2",
            "--events",
            "5000",
            "--cap",
            "3",
            "--keys",
            "7",
            "--seconds",
            "4",
            "--only",
            "loop,debezium-default");
    assertThat(options)
        .isEqualTo(
            new CompareOptions(
                true, 2, 5000, 5000, 3, 7, 200, 4, 2, List.of("loop", "debezium-default")));
    assertThat(options.chosen(Candidate.LOOP)).isTrue();
    assertThat(options.chosen(Candidate.CLIENT)).isFalse();
    assertThat(options.chosen(new Rival(RivalKind.DEBEZIUM, false, "", ""))).isTrue();
    assertThat(options.chosen(new Rival(RivalKind.DEBEZIUM, true, "", ""))).isFalse();
  }

  @Test
  void quickAndFullExcludeEachOther() {
    assertThatThrownBy(() -> parsed("--quick", "--full"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSlowRivalGetsTheSmallerBacklog() {
    assertThat(CompareOptions.FULL.backlog(new Rival(RivalKind.NAMASTACK, true, "", "")))
        .isEqualTo(60_000);
    assertThat(CompareOptions.FULL.backlog(new Rival(RivalKind.DEBEZIUM, true, "", "")))
        .isEqualTo(400_000);
    assertThat(CompareOptions.FULL.backlog(Candidate.WAYBILL_KEEP)).isEqualTo(400_000);
  }
}

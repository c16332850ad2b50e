package io.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CountsTest {
  private final Map<String, Double> counts = new TreeMap<>();

  @BeforeAll
  void count() {
    JsonNode report = BenchRun.report("counts");
    for (JsonNode line : report.path("candidates")) {
      String name = line.path("name").asString();
      line.path("details")
          .properties()
          .forEach(count -> counts.put(name + "." + count.getKey(), count.getValue().asDouble()));
    }
  }

  private double count(String name) {
    assertThat(counts).containsKey(name);
    return counts.getOrDefault(name, Double.NaN);
  }

  @Test
  void countsAreThoseOfTheBaseline() {
    CountsBaseline baseline = CountsBaseline.read();
    String renewal = baseline.renewal(counts);
    assertThat(baseline.differences(counts)).as(renewal).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "waybill-delete.statements, 0.01",
    "waybill-delete.rowWrites, 2.05",
    "waybill-delete.walToInsert, 1.15",
    "waybill-keep.statements, 0.01",
    "waybill-keep.rowWrites, 2.05",
    "waybill-keep.walToInsert, 1.2"
  })
  void eventsCostAtMostWhatIsPromised(String name, double most) {
    assertThat(count(name)).as(name).isPositive().isLessThanOrEqualTo(most);
  }

  @ParameterizedTest
  @ValueSource(strings = {"append", "append-ten"})
  void anAppendAddsOneStatementAndOneRoundTrip(String name) {
    assertThat(count(name + ".statements")).isEqualTo(1);
    assertThat(count(name + ".roundTrips")).isEqualTo(1);
    assertThat(count(name + ".rowWrites")).isEqualTo(name.equals("append") ? 1 : 10);
  }

  /** And never more, since a minute in which something else is asked is written with the next. */
  @Test
  void aRelaysHistoryCostsOneStatementAMinute() {
    assertThat(count("history.statements")).isLessThanOrEqualTo(1);
    assertThat(count("history.rowWrites")).isPositive().isLessThanOrEqualTo(4);
  }

  @Test
  void aCountThatChangedIsNamedWithBothValues() {
    CountsBaseline baseline =
        new CountsBaseline(
            Map.of(
                "a.statements", new CountsBaseline.Allowed(0.002, 0.001),
                "a.gone", new CountsBaseline.Allowed(1, 0)));
    List<String> found =
        baseline.differences(new TreeMap<>(Map.of("a.statements", 0.0035, "a.new", 2.0)));
    assertThat(found)
        .containsExactly(
            "a.new is 2.0000 and not in the baseline",
            "a.statements is 0.0035, but the baseline says 0.0020, give or take 0.0010",
            "a.gone is in the baseline and was not counted");
    assertThat(baseline.differences(Map.of("a.statements", 0.0025, "a.gone", 1.0))).isEmpty();
  }
}

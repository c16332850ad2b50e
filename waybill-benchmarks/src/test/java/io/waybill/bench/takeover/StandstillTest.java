package io.waybill.bench.takeover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.waybill.bench.load.Ref;
import io.waybill.bench.report.Measured;
import io.waybill.bench.report.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StandstillTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TENTH = SECOND / 10;
  private static final int KEYS = 4;
  // Keys 0 and 1 have lane 7, keys 2 and 3 have lane 8.
  private static final int[] LANES = {7, 7, 8, 8};
  private static final long STRUCK = 10 * SECOND;

  private final Map<Long, Long> commits = new HashMap<>();
  private final Map<Long, Long> received = new HashMap<>();

  /** An event of each key every half second until 20 s, a tenth of a second on its way. */
  private void writeAll() {
    for (int key = 0; key < KEYS; key++) {
      for (int i = 0; i < 40; i++) {
        commits.put(Ref.of(key, i), i * SECOND / 2);
        received.put(Ref.of(key, i), i * SECOND / 2 + TENTH);
      }
    }
  }

  /** What a key committed from one moment to another arrives then, all at once. */
  private void holdBack(int key, long from, long to) {
    commits.forEach(
        (ref, commit) -> {
          if (Ref.key(ref) == key && commit >= from && commit < to) {
            received.put(ref, to);
          }
        });
  }

  private Standstill of(Set<Integer> moved) {
    Arrivals arrivals = Arrivals.of(commits, received, KEYS);
    long end = STRUCK + 6 * SECOND;
    return Standstill.of(
        arrivals, new Round(STRUCK, end, 5 * SECOND, STRUCK + 2 * SECOND, moved), LANES);
  }

  private static Map<String, Double> details(Standstill standstill) {
    Measured measured = new Measured();
    standstill.addTo(measured);
    return measured.details();
  }

  @Test
  void keysThatMovedAreMeasuredByTheirLongestGapAndTheirLongestWait() {
    writeAll();
    holdBack(0, STRUCK, STRUCK + 2 * SECOND);
    holdBack(1, STRUCK, STRUCK + 4 * SECOND);

    Map<String, Double> details = details(of(Set.of(7)));

    assertThat(details).containsEntry("movedKeys", 2.0).containsEntry("stayedKeys", 2.0);
    // The last arrivals before are those of 9.5 s, a tenth later.
    assertThat(details.get(Verdict.GAP_P50)).isCloseTo(2.4, within(0.01));
    assertThat(details.get(Verdict.GAP_P99)).isCloseTo(4.4, within(0.01));
    assertThat(details.get("gapMaxSeconds")).isCloseTo(4.4, within(0.01));
    assertThat(details.get("standstillP50Seconds")).isCloseTo(2, within(0.01));
    assertThat(details.get(Verdict.STANDSTILL_P99)).isCloseTo(4, within(0.01));
    assertThat(details.get(Verdict.STANDSTILL_MAX)).isCloseTo(4, within(0.01));
    assertThat(details.get(Verdict.STAYED_RATIO)).isCloseTo(1, within(0.01));
  }

  @Test
  void keysThatStayedAreComparedWithAsLongATimeBefore() {
    writeAll();
    holdBack(2, STRUCK + SECOND, STRUCK + 2 * SECOND);
    // Too early to be in the five seconds before, and too late for those after.
    holdBack(3, SECOND, 4 * SECOND);
    holdBack(3, STRUCK + 5 * SECOND, STRUCK + 8 * SECOND);

    Map<String, Double> details = details(of(Set.of(7)));

    assertThat(details.get("stayedGapP99Seconds")).isCloseTo(1.4, within(0.01));
    assertThat(details.get("stayedGapP99SecondsBefore")).isCloseTo(0.5, within(0.01));
    assertThat(details.get(Verdict.STAYED_RATIO)).isCloseTo(2.8, within(0.02));
    assertThat(details.get("gapMaxSeconds")).isCloseTo(0.5, within(0.01));
  }

  @Test
  void aKeyThatStandsStillLongerThanTheRoundIsMeasuredToItsEnd() {
    writeAll();
    holdBack(0, STRUCK, STRUCK + 8 * SECOND);

    assertThat(details(of(Set.of(7))).get(Verdict.STANDSTILL_MAX)).isCloseTo(8, within(0.01));
  }

  @Test
  void roundsAreAddedAndWhereAllMovedNothingIsSaidOfOthers() {
    writeAll();
    Standstill all = new Standstill();
    all.add(of(Set.of(7, 8)));
    all.add(of(Set.of(7, 8)));

    assertThat(details(all))
        .containsEntry("movedKeys", 8.0)
        .containsEntry("stayedKeys", 0.0)
        .doesNotContainKey(Verdict.STAYED_RATIO);
    assertThat(all.toString()).startsWith("8 keys moved: gap p50 0.50").endsWith("none stayed");
  }

  @Test
  void whereNothingMovedNothingIsSaidOfIt() {
    writeAll();

    assertThat(details(of(Set.of())))
        .containsEntry("movedKeys", 0.0)
        .doesNotContainKeys(Verdict.GAP_P50, Verdict.STANDSTILL_P99);
  }
}

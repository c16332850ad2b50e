package io.waybill.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What happens at least in a run of ten minutes or more, whatever its seed. */
final class Guarantee {
  static final int FAULTS = 40;
  static final int KILLS = 10;
  private static final Duration FROM = Duration.ofMinutes(10);

  private Guarantee() {}

  /** What did not happen often enough. */
  static List<String> missing(Duration length, Map<FaultKind, Integer> counts) {
    if (length.compareTo(FROM) < 0) {
      return List.of();
    }
    List<String> missing = new ArrayList<>();
    least(missing, FAULTS, "faults", sum(counts, FaultKind::isFault));
    least(missing, KILLS, "kills", sum(counts, FaultKind::isKill));
    least(missing, 1, "kills of the database", sum(counts, FaultKind.DATABASE_KILL::equals));
    least(missing, 1, "kills of the broker", sum(counts, FaultKind.BROKER_KILL::equals));
    return missing;
  }

  private static void least(List<String> missing, int least, String what, int count) {
    if (count < least) {
      missing.add("only %d %s, at least %d belong to such a run".formatted(count, what, least));
    }
  }

  static int sum(Map<FaultKind, Integer> counts, Predicate<FaultKind> which) {
    return counts.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}

package io.waybill.torture;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a run showed.
 *
 * @param pair database and broker
 * @param seed its seed
 * @param events committed events
 * @param faults faults that happened
 * @param kills those among them that were {@code kill -9}
 * @param counts what the oracle counted
 * @param convergenceSeconds longest time from the end of faults until everything was delivered and
 *     settled
 * @param findings what must not be, for people; none if the oracle holds
 */
record Outcome(
    String pair,
    long seed,
    long events,
    int faults,
    int kills,
    Figures counts,
    double convergenceSeconds,
    List<String> findings) {
  /** What an oracle counts. */
  interface Figures {
    /** Those that have to be zero, and those that say something, by name. */
    Map<String, Long> members();

    /** Sum of those that have to be zero. */
    long broken();
  }

  /** What is counted of relays. */
  record Counts(
      long lost,
      long ghosts,
      long orderViolations,
      long duplicates,
      long unexplainedDuplicates,
      long dead,
      long parked)
      implements Figures {
    @Override
    public Map<String, Long> members() {
      Map<String, Long> members = new LinkedHashMap<>();
      members.put("lost", lost);
      members.put("ghosts", ghosts);
      members.put("orderViolations", orderViolations);
      members.put("duplicates", duplicates);
      members.put("unexplainedDuplicates", unexplainedDuplicates);
      members.put("dead", dead);
      members.put("parked", parked);
      return members;
    }

    @Override
    public long broken() {
      return lost + ghosts + orderViolations + unexplainedDuplicates + dead + parked;
    }
  }

  boolean holds() {
    return findings.isEmpty();
  }

  String json() {
    String figures =
        counts.members().entrySet().stream()
            .map(member -> "\"%s\":%d".formatted(member.getKey(), member.getValue()))
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "{\"pair\":\"%s\",\"seed\":%d,\"events\":%d,\"faults\":%d,\"kills\":%d,%s,"
            + "\"convergenceSeconds\":%.1f}",
        pair,
        seed,
        events,
        faults,
        kills,
        figures,
        convergenceSeconds);
  }
}

package io.waybill.bench.takeover;

import io.waybill.bench.load.Ref;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * First arrivals of all events at the consumer.
 *
 * @param byKey events of each key, in the order in which they arrived
 */
record Arrivals(List<List<Arrival>> byKey) {
  /**
   * An event.
   *
   * @param arrived when the consumer got it
   * @param committed when its commit returned
   */
  record Arrival(long arrived, long committed) {
    /** The consumer may have it before the writer is told of its commit. */
    long waited() {
      return Math.max(0, arrived - committed);
    }
  }

  /**
   * From what was stamped.
   *
   * @param commits time of the commit by event
   * @param received time of the first arrival by event
   * @param keys number of keys
   */
  static Arrivals of(Map<Long, Long> commits, Map<Long, Long> received, int keys) {
    List<List<Arrival>> byKey = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      byKey.add(new ArrayList<>());
    }
    received.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(
            each -> {
              long arrived = each.getValue();
              long committed = commits.getOrDefault(each.getKey(), arrived);
              byKey.get(Ref.key(each.getKey())).add(new Arrival(arrived, committed));
            });
    return new Arrivals(byKey);
  }

  int keys() {
    return byKey.size();
  }

  /** The longest time between two arrivals of a key that ended in a window; 0 without any. */
  long longestGap(int key, Window window) {
    long longest = 0;
    List<Arrival> all = byKey.get(key);
    for (int i = 1; i < all.size(); i++) {
      if (window.has(all.get(i).arrived())) {
        longest = Math.max(longest, all.get(i).arrived() - all.get(i - 1).arrived());
      }
    }
    return longest;
  }

  /** The longest time from the commit to the arrival of an event that arrived in a window. */
  long longestWait(int key, Window window) {
    long[] longest = {0};
    waits(key, window, wait -> longest[0] = Math.max(longest[0], wait));
    return longest[0];
  }

  /** The times from the commit to the arrival of all events that arrived in a window. */
  void waits(int key, Window window, LongConsumer each) {
    byKey.get(key).stream()
        .filter(arrival -> window.has(arrival.arrived()))
        .forEach(arrival -> each.accept(arrival.waited()));
  }

  /** When all had arrived that was committed by a moment, not before that moment. */
  long settled(long moment) {
    return byKey.stream()
        .flatMap(List::stream)
        .filter(arrival -> arrival.committed() - moment <= 0)
        .mapToLong(Arrival::arrived)
        .reduce(moment, Math::max);
  }
}

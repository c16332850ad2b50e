package io.waybill.testkit;

import io.waybill.message.EventKey;
import io.waybill.store.OutboxRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * What a reader returned. Writers of {@link ConcurrentWriters} number the events of a key in the
 * order of their transactions, so a lower number behind a higher one is an inversion.
 */
final class ReadLog {
  private final List<String> ids = new ArrayList<>();
  private final List<String> inversions = new ArrayList<>();
  private final Map<EventKey, Integer> last = new HashMap<>();
  private final Function<OutboxRow, String> name;

  ReadLog(Function<OutboxRow, String> name) {
    this.name = name;
  }

  void add(List<OutboxRow> rows) {
    for (OutboxRow row : rows) {
      String id = name.apply(row);
      ids.add(id);
      EventKey key = Objects.requireNonNull(row.key());
      int number = ConcurrentWriters.number(id);
      Integer before = last.put(key, number);
      if (before != null && before > number) {
        inversions.add(id + " of key " + key + " after number " + before);
      }
    }
  }

  List<String> ids() {
    return ids;
  }

  Set<String> idSet() {
    return new HashSet<>(ids);
  }

  List<String> inversions() {
    return inversions;
  }
}

package io.waybill.internal.jdbc.inbox;

import io.waybill.internal.jdbc.kernel.Binding;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.RowIdKind;
import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether events were processed before, on one connection. Immutable apart from that. */
public final class DedupeKeys {
  private static final DedupeResult FRESH = new DedupeResult.Fresh();
  private static final DedupeResult BEHIND = new DedupeResult.Behind();
  private static final Logger LOG = LoggerFactory.getLogger(DedupeKeys.class);
  // Each round leaves out what others have written since the last.
  private static final int MOST_ROUNDS = 10;

  private final InboxConnection connection;
  private final InboxParts parts;
  private final OpenNotes notes;

  public DedupeKeys(InboxConnection connection, InboxParts parts, OpenNotes notes) {
    this.connection = connection;
    this.parts = parts;
    this.notes = notes;
  }

  /** One event, also though its key waits if so wanted: a single statement if it is fresh. */
  DedupeResult one(DedupeKey dedupeKey, boolean inAnyCase) throws SQLException {
    String name = parts.names().of(dedupeKey.eventId());
    PreparedStatement statement = connection.prepare(parts.sql().take(inAnyCase));
    Binding binding = new Binding(statement, parts.dialect());
    ProcessedTable.Row row =
        new ProcessedTable.Row(name, dedupeKey.eventType(), dedupeKey.source());
    for (String value : parts.processed().values(parts.consumer(), row)) {
      binding.text(value);
    }
    if (!inAnyCase) {
      binding.text(parts.consumer());
      binding.text(dedupeKey.eventId());
      binding.text(parts.consumer());
      binding.text(EventNames.orderKey(dedupeKey.source(), dedupeKey.key()));
    }
    if (parts.inserts(statement)) {
      return FRESH;
    }
    Duration age = ages(List.of(name)).get(name);
    if (age == null) {
      return BEHIND;
    }
    if (notes.among(List.of(dedupeKey.eventId())).isEmpty()) {
      return new DedupeResult.Seen(age);
    }
    if (!inAnyCase && !behind(List.of(dedupeKey)).isEmpty()) {
      return BEHIND;
    }
    takeOver(List.of(dedupeKey.eventId()));
    return FRESH;
  }

  /**
   * Their notes are there, but the handlers of the transaction that wrote them have not returned.
   */
  private void takeOver(List<String> eventIds) throws SQLException {
    if (eventIds.isEmpty()) {
      return;
    }
    notes.takeOver(eventIds);
    LOG.error(
        "Events {} were recorded as processed for consumer {}, although their handlers had not"
            + " returned: a statement of a handler had committed the records. They are handled now;"
            + " changes that a handler made before that statement are made again. Move statements"
            + " that commit out of handlers",
        eventIds,
        parts.consumer());
  }

  /** Several events: what is behind is left out first, then one statement takes the others. */
  List<DedupeResult> all(List<DedupeKey> dedupeKeys) throws SQLException {
    Map<String, DedupeKey> distinct = new LinkedHashMap<>();
    dedupeKeys.forEach(dedupeKey -> distinct.putIfAbsent(dedupeKey.eventId(), dedupeKey));
    Set<String> behind = behind(distinct.values());
    Map<String, DedupeKey> open = new LinkedHashMap<>(distinct);
    open.keySet().removeAll(behind);
    Set<String> fresh = new HashSet<>(take(open.values()));
    List<String> others =
        distinct.keySet().stream().map(parts.names()::of).filter(n -> !fresh.contains(n)).toList();
    Map<String, Duration> ages = ages(others);
    Set<String> left =
        notes.among(
            distinct.keySet().stream()
                .filter(id -> ages.containsKey(parts.names().of(id)))
                .toList());
    left.forEach(id -> ages.remove(parts.names().of(id)));
    takeOver(left.stream().filter(id -> !behind.contains(id)).toList());
    left.stream().filter(id -> !behind.contains(id)).map(parts.names()::of).forEach(fresh::add);
    return answers(dedupeKeys, fresh, ages);
  }

  private List<DedupeResult> answers(
      List<DedupeKey> dedupeKeys, Set<String> fresh, Map<String, Duration> ages) {
    Set<String> answered = new HashSet<>();
    List<DedupeResult> dedupeResults = new ArrayList<>();
    for (DedupeKey dedupeKey : dedupeKeys) {
      String name = parts.names().of(dedupeKey.eventId());
      if (fresh.contains(name)) {
        dedupeResults.add(answered.add(name) ? FRESH : new DedupeResult.Seen(Duration.ZERO));
      } else {
        Duration age = ages.get(name);
        dedupeResults.add(age == null ? BEHIND : new DedupeResult.Seen(age));
      }
    }
    return dedupeResults;
  }

  private Set<String> behind(Collection<DedupeKey> dedupeKeys) throws SQLException {
    List<String> ids = dedupeKeys.stream().map(DedupeKey::eventId).toList();
    List<String> keys =
        dedupeKeys.stream().map(DedupeKeys::orderKey).filter(Objects::nonNull).distinct().toList();
    Set<String> waitingIds = new HashSet<>();
    Set<@Nullable String> waitingKeys = new HashSet<>();
    try (ResultSet result = deferred(ids, keys).executeQuery()) {
      while (result.next()) {
        waitingIds.add(result.getString(1));
        waitingKeys.add(result.getString(2));
      }
    }
    Set<String> behind = new HashSet<>();
    for (DedupeKey dedupeKey : dedupeKeys) {
      String key = orderKey(dedupeKey);
      if (waitingIds.contains(dedupeKey.eventId()) || (key != null && waitingKeys.contains(key))) {
        behind.add(dedupeKey.eventId());
      }
    }
    return behind;
  }

  /** Ids and order keys of deferred events that have one of these ids or order keys. */
  private PreparedStatement deferred(List<String> ids, List<String> keys) throws SQLException {
    String of = "select d.event_id, d.order_key from ${deferred} d where d.consumer = ? and ";
    String byId = of + parts.dialect().oneOf("d.event_id", ids.size());
    PreparedStatement statement =
        connection.prepare(
            parts.fill(
                keys.isEmpty()
                    ? byId
                    : byId
                        + " union all "
                        + of
                        + parts.dialect().oneOf("d.order_key", keys.size())));
    Binding binding = new Binding(statement, parts.dialect());
    binding.text(parts.consumer());
    binding.oneOf(RowIdKind.STRING, ids);
    if (!keys.isEmpty()) {
      binding.text(parts.consumer());
      binding.oneOf(RowIdKind.STRING, keys);
    }
    return statement;
  }

  private static @Nullable String orderKey(DedupeKey dedupeKey) {
    return EventNames.orderKey(dedupeKey.source(), dedupeKey.key());
  }

  /** Names that were written. */
  private Set<String> take(Collection<DedupeKey> dedupeKeys) throws SQLException {
    List<ProcessedTable.Row> rows = new ArrayList<>();
    for (DedupeKey dedupeKey : dedupeKeys) {
      String name = parts.names().of(dedupeKey.eventId());
      rows.add(new ProcessedTable.Row(name, dedupeKey.eventType(), dedupeKey.source()));
    }
    rows.sort(Comparator.comparing(ProcessedTable.Row::id));
    for (int round = 1; !rows.isEmpty(); round++) {
      PreparedStatement statement = connection.prepare(parts.sql().takeAllText(rows.size()));
      try {
        return parts.sql().takeAll(statement, parts.consumer(), rows);
      } catch (SQLException e) {
        if (round == MOST_ROUNDS || !parts.sql().isDuplicate(e)) {
          throw e;
        }
        Set<String> seen = ages(rows.stream().map(ProcessedTable.Row::id).toList()).keySet();
        rows.removeIf(row -> seen.contains(row.id()));
      }
    }
    return Set.of();
  }

  /** Removes notes of this transaction. */
  void takeBack(List<DedupeKey> dedupeKeys) throws SQLException {
    List<String> names =
        dedupeKeys.stream().map(DedupeKey::eventId).distinct().map(parts.names()::of).toList();
    if (!names.isEmpty()) {
      prepare(
              "delete from ${processed} where "
                  + (parts.processed().consumer() ? "consumer = ? and " : "")
                  + parts.dialect().oneOf("event_id", names.size()),
              names)
          .executeUpdate();
    }
  }

  /** Whether all of them are noted. */
  boolean knows(Collection<DedupeKey> dedupeKeys) throws SQLException {
    Set<String> names =
        dedupeKeys.stream()
            .map(dedupeKey -> parts.names().of(dedupeKey.eventId()))
            .collect(Collectors.toSet());
    return ages(List.copyOf(names)).keySet().equals(names);
  }

  /** Which of these ids are noted as processed, or deferred. */
  public Set<String> among(Collection<String> eventIds) throws SQLException {
    List<String> ids = List.copyOf(eventIds);
    Set<String> noted = ages(ids.stream().map(parts.names()::of).toList()).keySet();
    Set<String> found = new HashSet<>();
    ids.stream().filter(id -> noted.contains(parts.names().of(id))).forEach(found::add);
    try (ResultSet result = deferred(ids, List.of()).executeQuery()) {
      while (result.next()) {
        found.add(result.getString(1));
      }
    }
    return found;
  }

  private PreparedStatement prepare(String template, List<String> names) throws SQLException {
    PreparedStatement statement = connection.prepare(parts.fill(template));
    Binding binding = new Binding(statement, parts.dialect());
    if (parts.processed().consumer()) {
      binding.text(parts.consumer());
    }
    if (parts.processed().uuids()) {
      binding.oneOf(RowIdKind.UUID, names.stream().map(UUID::fromString).toList());
    } else {
      binding.oneOf(RowIdKind.STRING, names);
    }
    return statement;
  }

  /** How long ago events were processed. */
  private Map<String, Duration> ages(List<String> names) throws SQLException {
    if (names.isEmpty()) {
      return new HashMap<>();
    }
    SqlDialect dialect = parts.dialect();
    PreparedStatement statement =
        prepare(
            "select %s, %s - %s from ${processed} p where ${mine} and %s"
                .formatted(
                    dialect.text("p.event_id"),
                    dialect.micros("${time}"),
                    dialect.micros("p.processed_at"),
                    dialect.oneOf("p.event_id", names.size())),
            names);
    Map<String, Duration> ages = new HashMap<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        Duration age = Duration.of(Math.max(0, result.getLong(2)), ChronoUnit.MICROS);
        ages.put(parts.processed().id(result.getString(1)), age);
      }
    }
    return ages;
  }
}

package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.TableTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What operators have noted on groups of failures for those who come next. A note belongs to a
 * group whatever the state of its events. Used by one thread.
 */
public final class Notes {
  private static final Duration KEPT = Duration.ofDays(14);

  private final JdbcAdmin admin;
  private final Queries queries;
  private final SqlDialect dialect;
  private final TableTerms terms;

  /**
   * A note.
   *
   * @param text what it says
   * @param by who wrote it
   * @param at when
   */
  public record Note(String text, String by, Instant at) {}

  private Notes(JdbcAdmin admin) {
    this.admin = admin;
    this.queries = admin.parts().queries();
    this.dialect = queries.dialect();
    this.terms = admin.parts().terms();
  }

  /**
   * The notes of an outbox, on the connection of its operators' view.
   *
   * @param admin the view
   * @throws IllegalArgumentException if it is not one of a database
   */
  public static Notes of(Admin admin) {
    return new Notes(JdbcAdmin.of(admin));
  }

  /**
   * Writes a note, which takes the place of the one before; or removes it.
   *
   * @param events filter of the group; nobody writes more notes than there are groups
   * @param text what it says, or null to remove it
   * @param by who writes it
   * @return whether there is such a group
   */
  public boolean write(EventFilter events, @Nullable String text, String by) {
    String group = events.group();
    if (group == null || admin.find(events, null, 1).events().isEmpty()) {
      return false;
    }
    if (text == null) {
      queries.change(
          "remove a note",
          terms.sql("delete from ${note} where failure_group = ?"),
          binding -> binding.text(group));
      return true;
    }
    Map<String, String> changes = new LinkedHashMap<>();
    for (String column : List.of("note", "written_by", "written_at")) {
      changes.put(column, dialect.incoming(column));
    }
    queries.change(
        "write a note",
        terms.sql(
            dialect.insertOrChange(
                "${note}",
                "failure_group",
                List.of("failure_group", "note", "written_by", "written_at"),
                "values (?, ?, ?, " + dialect.clock() + ")",
                changes)),
        binding -> {
          binding.text(group);
          binding.text(text);
          binding.text(by);
        });
    return true;
  }

  /**
   * Looks for notes.
   *
   * @param groups the groups, as in {@link io.waybill.admin.FailureGroup#group}
   * @return by group; those without one are left out
   */
  public Map<String, Note> of(List<String> groups) {
    if (groups.isEmpty()) {
      return Map.of();
    }
    return queries
        .list(
            "look for notes",
            terms.sql(
                """
                select n.failure_group, n.note, n.written_by, ${micros} from ${note} n
                where n.failure_group in (${groups})"""
                    .replace("${micros}", dialect.micros("n.written_at"))
                    .replace(
                        "${groups}", String.join(", ", Collections.nCopies(groups.size(), "?")))),
            binding -> {
              for (String group : groups) {
                binding.text(group);
              }
            },
            result ->
                Map.entry(
                    result.getString(1),
                    new Note(
                        result.getString(2),
                        result.getString(3),
                        Instant.EPOCH.plus(result.getLong(4), ChronoUnit.MICROS))))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Removes notes that are old; returns how many. */
  int clean() {
    String end = dialect.later("written_at", Long.toString(KEPT.toNanos() / 1_000));
    return queries.change(
        "remove old notes",
        terms.sql("delete from ${note} where " + end + " < " + dialect.clock()),
        Queries.Binder.NOTHING);
  }
}

package io.waybill.layout;

import io.waybill.internal.text.SqlName;
import io.waybill.message.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of layouts; collects what breaks them. */
final class LayoutRules {
  // Words and media types stand in statements as literals, so nothing that needs escaping.
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9 _.:-]{1,64}");
  private static final Pattern MEDIA_TYPE = Pattern.compile("[A-Za-z0-9!#$&^_.+/;= -]{1,127}");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9._-]{1,128}");

  private final List<Violation> violations = new ArrayList<>();
  private final Map<String, String> written = new HashMap<>();

  private LayoutRules() {}

  static List<Violation> check(
      TableName table, Identity identity, Content content, RowOrder order, Progress progress) {
    LayoutRules rules = new LayoutRules();
    rules.onServer("schema", table.schema());
    rules.name("table", table.name());
    rules.progress(progress);
    rules.identity(identity);
    rules.content(content);
    rules.order(order, progress);
    rules.record(progress.record(), table, identity);
    return rules.violations;
  }

  /** First, so that the columns that are written are known when those that are read come. */
  private void progress(Progress progress) {
    if (progress.state() instanceof StateColumn.Flag flag) {
      writes("state", flag.column());
    } else if (progress.state() instanceof StateColumn.Word word) {
      writes("state", word.column());
      words(word);
    }
    writes("publishedAt", progress.publishedAt());
    writes("attempts", progress.attempts());
    writes("nextAttemptAt", progress.nextAttemptAt());
    writes("error", progress.error());
  }

  private void words(StateColumn.Word word) {
    matches("state.pending", WORD, word.pending());
    matches("state.published", WORD, word.published());
    matches("state.dead", WORD, word.dead());
    if (word.pending().equalsIgnoreCase(word.published())) {
      add("state.published", "must differ from the word of pending rows", word.published());
    }
    if (word.pending().equalsIgnoreCase(word.dead())) {
      add("state.dead", "must differ from the word of pending rows", word.dead());
    }
    if (word.published().equalsIgnoreCase(word.dead())) {
      add("state.dead", "must differ from the word of published rows", word.dead());
    }
  }

  private void identity(Identity identity) {
    reads("rowId", identity.rowId());
    reads("eventId", identity.eventId());
    reads("eventType", identity.eventType());
    reads("eventVersion", identity.eventVersion());
  }

  private void content(Content content) {
    reads("payload", content.payload());
    reads("contentTypeColumn", content.contentTypeColumn());
    matches("contentType", MEDIA_TYPE, content.contentType());
    Context context = content.context();
    reads("headers", context.headers());
    reads("correlationId", context.correlationId());
    reads("causationId", context.causationId());
    reads("traceparent", context.traceparent());
    context
        .headerColumns()
        .forEach(
            (column, header) -> {
              reads("headerColumns", column);
              matches("headerColumns." + column, HEADER, header);
            });
  }

  private void order(RowOrder order, Progress progress) {
    if (order.key() instanceof KeyColumns.TypeAndId key) {
      reads("key.type", key.type());
      reads("key.id", key.id());
    } else if (order.key() instanceof KeyColumns.Single key) {
      reads("key.id", key.id());
      matches("key.aggregateType", WORD, key.aggregateType());
    }
    if (order.column() != null) {
      reads("orderedBy", order.column().column());
    }
    reads("createdAt", order.createdAt());
    reads("lane", order.lane());
    // One column may tell both when a writer and when a failure lets a row be tried.
    if (order.availableAt() == null || !order.availableAt().equals(progress.nextAttemptAt())) {
      reads("availableAt", order.availableAt());
    }
  }

  private void record(@Nullable RecordTable record, TableName table, Identity identity) {
    if (record == null) {
      return;
    }
    name("record", record.name());
    if (record.name().equals(table.name())) {
      add("record", "must not be the outbox itself", record.name());
    }
    if (identity.eventId() == null) {
      add("record", "needs a column of the event id", null);
    }
    Set<String> columns = new HashSet<>();
    for (String column :
        List.of(record.eventId(), record.status(), record.createdAt(), record.updatedAt())) {
      name("record.columns", column);
      if (!columns.add(column)) {
        add("record.columns", "must be four different ones", column);
      }
    }
  }

  private void writes(String field, @Nullable String column) {
    name(field, column);
    String other = column == null ? null : written.putIfAbsent(column, field);
    if (other != null) {
      add(field, "must not be the column of " + other, column);
    }
  }

  private void reads(String field, @Nullable String column) {
    name(field, column);
    String other = column == null ? null : written.get(column);
    if (other != null) {
      add(field, "must not be the column of " + other + ", which is written", column);
    }
  }

  private void name(String field, @Nullable String name) {
    if (name != null && !SqlName.isValid(name)) {
      add(field, "must match " + SqlName.FORM, name);
    }
  }

  /** On MySQL and MariaDB a schema is a database. */
  private void onServer(String field, @Nullable String name) {
    if (name != null && !SqlName.isValidOnServer(name)) {
      add(field, "must match " + SqlName.SERVER_FORM, name);
    }
  }

  private void matches(String field, Pattern form, String value) {
    if (!form.matcher(value).matches()) {
      add(field, "must match " + form, value);
    }
  }

  private void add(String field, String rule, @Nullable String value) {
    violations.add(new Violation(field, rule, value));
  }
}

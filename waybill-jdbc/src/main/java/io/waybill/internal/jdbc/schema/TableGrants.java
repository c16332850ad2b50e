package io.waybill.internal.jdbc.schema;

import io.waybill.database.DatabaseKind;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.kernel.AuditColumns;
import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.layout.Context;
import io.waybill.layout.Identity;
import io.waybill.layout.KeyColumns;
import io.waybill.layout.Layout;
import io.waybill.layout.RecordTable;
import io.waybill.layout.RowOrder;
import io.waybill.layout.StateColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The privileges that a table of any layout and the tables beside it ask for. */
public final class TableGrants {
  private final Layout layout;
  private final SqlDialect dialect;
  private final SideNames names;
  private final List<String> grants = new ArrayList<>();

  public TableGrants(Layout layout, SqlDialect dialect, SideNames names) {
    this.layout = layout;
    this.dialect = dialect;
    this.names = names;
  }

  public String script(String writer, String relay, String operator, String reader) {
    String schema = layout.table().schema();
    String outbox = dialect.table(layout.table());
    String writes = dialect.quote(writer);
    String relays = dialect.quote(relay);
    List<String> reads = List.of(dialect.quote(operator), dialect.quote(reader));
    if (schema != null && dialect.kind() == DatabaseKind.POSTGRESQL) {
      grants.add(
          "grant usage on schema %s to %s, %s, %s"
              .formatted(dialect.quote(schema), writes, relays, String.join(", ", reads)));
    }
    grant("insert", outbox, writes);
    grant(progress(), outbox, relays);
    reads.forEach(role -> grant("select " + withoutPayload(), outbox, role));
    RecordTable record = layout.progress().record();
    if (record != null) {
      String plain = dialect.quote(record.name());
      String name = schema == null ? plain : dialect.quote(schema) + "." + plain;
      grant("select, insert, update", name, relays);
      reads.forEach(role -> grant("select", name, role));
    }
    grant("insert", dialect.fill(names, "${row_context}"), writes);
    // Who may write logins could log in as anybody, and who reads them sees when others are there.
    for (String side : SideNames.tables().stream().filter(each -> !each.equals("login")).toList()) {
      String name = dialect.fill(names, "${" + side + "}");
      grant(ofRelay(side), name, relays);
      reads.forEach(role -> grant("select", name, role));
    }
    // Operators ask; relays do it.
    String operates = reads.get(0);
    grant("insert", dialect.fill(names, "${request}"), operates);
    grant("insert, update", dialect.fill(names, "${destination}"), operates);
    for (String own : List.of("${job}", "${job_event}", "${note}")) {
      grant("insert, update, delete", dialect.fill(names, own), operates);
    }
    grant(AuditColumns.granted("INSERT"), dialect.fill(names, "${audit}"), operates);
    return String.join(";\n", grants) + ";\n";
  }

  /** What lets a role read payloads. */
  public String ofPayloads(String role) {
    String column = dialect.quote(layout.content().payload());
    grant("select (" + column + ")", dialect.table(layout.table()), dialect.quote(role));
    return String.join(";\n", grants) + ";\n";
  }

  /** What lets a role append corrected events: copies of rows, with every column. */
  public String ofCorrections(String role) {
    grant("select, insert", dialect.table(layout.table()), dialect.quote(role));
    grant("insert", dialect.fill(names, "${row_context}"), dialect.quote(role));
    return String.join(";\n", grants) + ";\n";
  }

  /** What lets a role remove dead events. */
  public String ofPurge(String role) {
    String outbox = dialect.table(layout.table());
    for (String table : List.of(outbox, "${row_state}", "${row_context}")) {
      grant("delete", dialect.fill(names, table), dialect.quote(role));
    }
    return String.join(";\n", grants) + ";\n";
  }

  /** What lets the API keep logins of browsers. */
  public String ofLogins(String role) {
    grant("select, insert, update, delete", dialect.fill(names, "${login}"), dialect.quote(role));
    return String.join(";\n", grants) + ";\n";
  }

  private static String ofRelay(String side) {
    return switch (side) {
      case "lane" -> "select, update";
      case "audit" ->
          "select, " + AuditColumns.granted("INSERT") + ", " + AuditColumns.granted("UPDATE");
      default -> "select, insert, update, delete";
    };
  }

  /** Every column that a command for operators reads, but the payload. */
  private String withoutPayload() {
    List<@Nullable String> columns = new ArrayList<>();
    Identity identity = layout.identity();
    columns.addAll(Arrays.asList(identity.rowId(), identity.eventId(), identity.eventType()));
    columns.add(identity.eventVersion());
    RowOrder order = layout.order();
    if (order.key() instanceof KeyColumns.TypeAndId key) {
      columns.addAll(List.of(key.type(), key.id()));
    } else if (order.key() instanceof KeyColumns.Single key) {
      columns.add(key.id());
    }
    columns.add(order.column() == null ? null : order.column().column());
    columns.addAll(Arrays.asList(order.createdAt(), order.availableAt(), order.lane()));
    Context context = layout.content().context();
    columns.add(layout.content().contentTypeColumn());
    columns.addAll(Arrays.asList(context.headers(), context.correlationId()));
    columns.addAll(Arrays.asList(context.causationId(), context.traceparent()));
    columns.addAll(context.headerColumns().keySet());
    columns.addAll(written());
    return columns.stream()
        .filter(Objects::nonNull)
        .filter(column -> !column.equals(layout.content().payload()))
        .map(dialect::quote)
        .distinct()
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private void grant(String privileges, String table, String role) {
    grants.add("grant " + privileges + " on " + table + " to " + role);
  }

  private String progress() {
    StateColumn state = layout.progress().state();
    if (state instanceof StateColumn.Presence) {
      return "select, delete";
    }
    return written().stream()
        .filter(Objects::nonNull)
        .map(dialect::quote)
        .distinct()
        .collect(Collectors.joining(", ", "select, update (", ")"));
  }

  private List<@Nullable String> written() {
    StateColumn state = layout.progress().state();
    String column =
        state instanceof StateColumn.Flag flag
            ? flag.column()
            : state instanceof StateColumn.Word word ? word.column() : null;
    return Arrays.asList(
        column,
        layout.progress().publishedAt(),
        layout.progress().attempts(),
        layout.progress().nextAttemptAt(),
        layout.progress().error());
  }
}

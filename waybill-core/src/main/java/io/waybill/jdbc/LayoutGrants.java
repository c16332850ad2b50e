package io.waybill.jdbc;

import io.waybill.jdbc.dialect.SideNames;
import io.waybill.jdbc.dialect.SqlDialect;
import io.waybill.layout.Layout;
import io.waybill.layout.RecordTable;
import io.waybill.layout.StateColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The privileges that a table of any layout and the tables beside it ask for. */
final class LayoutGrants {
  private final Layout layout;
  private final SqlDialect dialect;
  private final SideNames names;
  private final List<String> grants = new ArrayList<>();

  LayoutGrants(Layout layout, SqlDialect dialect, SideNames names) {
    this.layout = layout;
    this.dialect = dialect;
    this.names = names;
  }

  String script(String writer, String relay, String reader) {
    String schema = layout.table().schema();
    String table = dialect.quote(layout.table().name());
    String outbox = schema == null ? table : dialect.quote(schema) + "." + table;
    String writes = dialect.quote(writer);
    String relays = dialect.quote(relay);
    String reads = dialect.quote(reader);
    if (schema != null && dialect.folder().equals("postgresql")) {
      grants.add(
          "grant usage on schema %s to %s, %s, %s"
              .formatted(dialect.quote(schema), writes, relays, reads));
    }
    grant("insert", outbox, writes);
    grant(progress(), outbox, relays);
    grant("select", outbox, reads);
    RecordTable record = layout.progress().record();
    if (record != null) {
      String plain = dialect.quote(record.name());
      String name = schema == null ? plain : dialect.quote(schema) + "." + plain;
      grant("select, insert, update", name, relays);
      grant("select", name, reads);
    }
    grant("insert", names.fill(dialect, "${row_context}"), writes);
    for (String side : SideNames.tables()) {
      String name = names.fill(dialect, "${" + side + "}");
      String all = side.equals("lane") ? "select, update" : "select, insert, update, delete";
      grant(all, name, relays);
      grant("select", name, reads);
    }
    return String.join(";\n", grants) + ";\n";
  }

  private void grant(String privileges, String table, String role) {
    grants.add("grant " + privileges + " on " + table + " to " + role);
  }

  private String progress() {
    StateColumn state = layout.progress().state();
    if (state instanceof StateColumn.Presence) {
      return "select, delete";
    }
    String column =
        state instanceof StateColumn.Flag flag
            ? flag.column()
            : ((StateColumn.Word) state).column();
    return Stream.of(
            column,
            layout.progress().publishedAt(),
            layout.progress().attempts(),
            layout.progress().nextAttemptAt(),
            layout.progress().error())
        .filter(Objects::nonNull)
        .map(dialect::quote)
        .distinct()
        .collect(Collectors.joining(", ", "select, update (", ")"));
  }
}

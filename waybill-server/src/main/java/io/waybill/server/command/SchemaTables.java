package io.waybill.server.command;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.database.SideNames;
import io.waybill.internal.jdbc.schema.TableChecks;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.TableSchema;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.observe.Finding;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tables: Waybill's own outbox, those beside an adopted one, those of an inbox. */
sealed interface SchemaTables {
  String print();

  String documented();

  String views();

  /** The roles that {@link #grants} is for, as the usage names them. */
  default List<String> roles() {
    return List.of("WRITER", "RELAY", "OPERATOR", "READER");
  }

  /** Privileges of as many roles as {@link #roles} has. */
  String grants(List<String> roles);

  /** What lets one role read payloads. */
  default String payloadGrant(String role) {
    throw new CommandFailure(ExitCode.USAGE, "An inbox has no payloads: leave out --payload-grant");
  }

  /** What lets one role append corrected events. */
  default String correctionGrant(String role) {
    throw new CommandFailure(
        ExitCode.USAGE, "An inbox has nothing to correct: leave out --correction-grant");
  }

  /** What lets one role remove dead events. */
  default String purgeGrant(String role) {
    throw new CommandFailure(
        ExitCode.USAGE, "An inbox has no dead events: leave out --purge-grant");
  }

  /** What lets one role keep logins of browsers. */
  default String loginGrant(String role) {
    throw new CommandFailure(ExitCode.USAGE, "An inbox has no logins: leave out --login-grant");
  }

  /** Creates what is missing and says what was done. */
  String apply(Connection connection) throws SQLException;

  List<Finding> check(Connection connection) throws SQLException;

  /** The tables of an outbox; the product is guessed from the URL if nobody says it. */
  static SchemaTables of(StandaloneOutbox outbox, @Nullable DatabaseKind given, int lanes) {
    DatabaseKind kind = kind(outbox, given);
    return outbox.isOwn()
        ? own(kind, outbox.schema(), lanes)
        : new Beside(outbox.layout(), outbox.sideNames(), kind);
  }

  static SchemaTables own(DatabaseKind kind, String schema, int lanes) {
    try {
      return new Own(Schema.of(kind, new SchemaOptions(schema, lanes)));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /** The tables of an inbox in the schema of an outbox. */
  static SchemaTables inbox(
      StandaloneOutbox outbox, @Nullable DatabaseKind given, InboxTables tables) {
    return inbox(kind(outbox, given), outbox.schema(), tables);
  }

  static SchemaTables inbox(DatabaseKind kind, String schema, InboxTables tables) {
    try {
      return new Inbox(InboxSchema.of(kind, schema, tables), tables.adopted() != null);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static DatabaseKind kind(StandaloneOutbox outbox, @Nullable DatabaseKind given) {
    DatabaseKind guessed = outbox.isPostgres() ? DatabaseKind.POSTGRESQL : DatabaseKind.MARIADB;
    return given == null ? guessed : given;
  }

  /** Waybill's own table and what belongs to it. */
  record Own(Schema schema) implements SchemaTables {
    @Override
    public String print() {
      return schema.print();
    }

    @Override
    public String documented() {
      throw new CommandFailure(
          ExitCode.USAGE, "Waybill's own table is printed without --documented");
    }

    @Override
    public String views() {
      throw new CommandFailure(
          ExitCode.USAGE,
          "The view waybill_outbox_status belongs to the tables: leave out --views");
    }

    @Override
    public String grants(List<String> roles) {
      return schema.grants(roles.get(0), roles.get(1), roles.get(2), roles.get(3));
    }

    @Override
    public String payloadGrant(String role) {
      return schema.payloadGrant(role);
    }

    @Override
    public String correctionGrant(String role) {
      return schema.correctionGrant(role);
    }

    @Override
    public String purgeGrant(String role) {
      return schema.purgeGrant(role);
    }

    @Override
    public String loginGrant(String role) {
      return schema.loginGrant(role);
    }

    @Override
    public String apply(Connection connection) throws SQLException {
      int applied = schema.apply(connection);
      return applied == 0 ? "The tables are up to date." : "Applied " + applied + " script(s).";
    }

    @Override
    public List<Finding> check(Connection connection) throws SQLException {
      return schema.check(connection);
    }
  }

  /** The tables beside an adopted one, which itself is never changed. */
  record Beside(Layout layout, SideNames names, DatabaseKind kind) implements SchemaTables {
    private static final Set<String> DOCUMENTED =
        Stream.of(Layouts.NOTIFICATION, Layouts.EVENT_OUTBOX, Layouts.WALLET, Layouts.POLYSHOP)
            .map(Layout::name)
            .collect(Collectors.toUnmodifiableSet());

    private TableSchema schema() {
      return TableSchema.of(layout, kind, names, 1);
    }

    @Override
    public String print() {
      return schema().print();
    }

    @Override
    public String documented() {
      if (!DOCUMENTED.contains(layout.name())) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "No document has a table of layout "
                + layout.name()
                + "; there are "
                + String.join(", ", DOCUMENTED.stream().sorted().toList()));
      }
      return TableSchema.documentedTable(layout.name(), kind);
    }

    @Override
    public String views() {
      String views = schema().printViews();
      if (views.isEmpty()) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "No document has views of layout "
                + layout.name()
                + "; there are those of "
                + Layouts.EVENT_OUTBOX.name());
      }
      return views;
    }

    @Override
    public String grants(List<String> roles) {
      return schema().grants(roles.get(0), roles.get(1), roles.get(2), roles.get(3));
    }

    @Override
    public String payloadGrant(String role) {
      return schema().payloadGrant(role);
    }

    @Override
    public String correctionGrant(String role) {
      return schema().correctionGrant(role);
    }

    @Override
    public String purgeGrant(String role) {
      return schema().purgeGrant(role);
    }

    @Override
    public String loginGrant(String role) {
      return schema().loginGrant(role);
    }

    @Override
    public String apply(Connection connection) throws SQLException {
      int missing = schema().check(connection).size();
      schema().apply(connection);
      return missing == 0
          ? "The tables are up to date."
          : "Created " + missing + " table(s) to accompany " + layout.table() + ".";
    }

    @Override
    public List<Finding> check(Connection connection) throws SQLException {
      return new TableChecks(layout, names).tables(connection);
    }
  }

  /** The tables of an inbox, of its own or beside a table of processed events that is there. */
  record Inbox(InboxSchema schema, boolean beside) implements SchemaTables {
    @Override
    public String print() {
      return schema.print();
    }

    @Override
    public String documented() {
      if (!beside) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "Name the table of one consumer's processed events with --processed-table");
      }
      return schema.printDocumented();
    }

    @Override
    public String views() {
      throw new CommandFailure(ExitCode.USAGE, "An inbox has no views: leave out --views");
    }

    @Override
    public List<String> roles() {
      return List.of("CONSUMER", "READER");
    }

    @Override
    public String grants(List<String> roles) {
      return schema.grants(roles.get(0), roles.get(1));
    }

    @Override
    public String apply(Connection connection) throws SQLException {
      int applied = schema.apply(connection);
      return applied == 0
          ? "The tables of the inbox are up to date."
          : "Applied " + applied + " script(s) of the inbox.";
    }

    @Override
    public List<Finding> check(Connection connection) throws SQLException {
      return schema.check(connection);
    }
  }
}

package io.waybill.server.command;

import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.config.Printable;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What to tell about a failed database call, and what mends it. */
enum DatabaseFailure {
  /** No log-in, or not for this database. */
  LOGIN("the server refuses the user or password: see database.username and database.password"),
  /** The server has other databases. */
  NO_DATABASE("there is no such database on this server: create it, or see database.url"),
  /** Tables or columns are missing. */
  NO_TABLE("the tables are missing or outdated: waybill schema apply creates and updates them"),
  /** The role may not do it. */
  DENIED(
      "the role has no privilege: the owner of the schema applies it, and waybill schema print"
          + " --grants prints what the roles need"),
  /** Nobody answers, or not now. */
  SILENT("see database.url and whether the server runs"),
  /** Anything else. */
  OTHER("");

  private final String remedy;

  DatabaseFailure(String remedy) {
    this.remedy = remedy;
  }

  static CommandFailure of(StandaloneOutbox outbox, String what, SQLException e) {
    String where = " of outbox " + outbox.name() + " in " + outbox.url();
    return failure("Could not " + what + where, e, false);
  }

  static CommandFailure of(StoreException e) {
    String what = String.valueOf(e.getMessage());
    return e.getCause() instanceof SQLException sql
        ? failure(what, sql, e.isTransient())
        : new CommandFailure(
            e.isTransient() ? ExitCode.UNREACHABLE : ExitCode.FINDINGS, Printable.line(what));
  }

  private static CommandFailure failure(String what, SQLException e, boolean passing) {
    DatabaseFailure kind = kind(e, passing);
    // Some drivers end with a full stop.
    String why = Printable.line(String.valueOf(e.getMessage())).replaceAll("[.]$", "");
    String remedy = kind.remedy.isEmpty() ? "" : "; " + kind.remedy;
    return new CommandFailure(kind.exitCode(), Printable.line(what) + ": " + why + remedy);
  }

  private int exitCode() {
    return switch (this) {
      case LOGIN, NO_DATABASE, SILENT -> ExitCode.UNREACHABLE;
      case NO_TABLE, DENIED, OTHER -> ExitCode.FINDINGS;
    };
  }

  /** MySQL and MariaDB have numbers of their own, and one state for most of them. */
  private static DatabaseFailure kind(SQLException e, boolean passing) {
    return switch (e.getErrorCode()) {
      case 1044, 1045, 1698 -> LOGIN;
      case 1049 -> NO_DATABASE;
      case 1054, 1146 -> NO_TABLE;
      case 1142, 1143, 1227, 1370 -> DENIED;
      default -> kind(e.getSQLState(), passing);
    };
  }

  private static DatabaseFailure kind(@Nullable String state, boolean passing) {
    if (state == null) {
      return SILENT;
    }
    return switch (state) {
      case "3D000" -> NO_DATABASE;
      case "42P01", "42703", "42S02", "42S22" -> NO_TABLE;
      case "42501" -> DENIED;
      default -> {
        if (state.startsWith("28")) {
          yield LOGIN;
        }
        // Connection failures, and servers that are full, start or stop.
        boolean silent =
            state.startsWith("08") || state.startsWith("53") || state.startsWith("57P");
        yield silent || passing ? SILENT : OTHER;
      }
    };
  }
}

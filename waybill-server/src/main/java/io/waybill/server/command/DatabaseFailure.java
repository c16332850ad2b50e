package io.waybill.server.command;

import io.waybill.server.config.OutboxConfig;
import io.waybill.server.config.Printable;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What to tell about a failed database call. */
final class DatabaseFailure {
  private DatabaseFailure() {}

  static CommandFailure of(OutboxConfig outbox, String what, SQLException e) {
    int code = isConnection(e.getSQLState()) ? ExitCode.UNREACHABLE : ExitCode.FINDINGS;
    return new CommandFailure(
        code,
        "Could not "
            + what
            + " of outbox "
            + outbox.name()
            + " in "
            + outbox.database().url()
            + ": "
            + Printable.of(String.valueOf(e.getMessage())));
  }

  /** Connection failures, refused log-ins, and servers that start or stop. */
  private static boolean isConnection(@Nullable String state) {
    return state == null
        || state.startsWith("08")
        || state.startsWith("28")
        || state.startsWith("53")
        || state.startsWith("57P");
  }
}

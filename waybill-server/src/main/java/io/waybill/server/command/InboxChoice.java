package io.waybill.server.command;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether the tables of an inbox are meant, and which. */
final class InboxChoice {
  @Option(
      names = "--inbox",
      description = "The tables of an inbox in the same schema instead of those of the outbox.")
  private boolean inbox;

  @Option(
      names = "--processed-table",
      paramLabel = "TABLE",
      description =
          "With --inbox: only the tables that accompany this table of processed events, which has"
              + " room for one consumer.")
  private @Nullable String processed;

  SchemaTables tables(StandaloneOutbox outbox, @Nullable DatabaseKind kind, int lanes) {
    return isInbox()
        ? SchemaTables.inbox(outbox, kind, inboxTables())
        : SchemaTables.of(outbox, kind, lanes);
  }

  SchemaTables tables(DatabaseKind kind, String schema, int lanes) {
    return isInbox()
        ? SchemaTables.inbox(kind, schema, inboxTables())
        : SchemaTables.own(kind, schema, lanes);
  }

  private boolean isInbox() {
    if (processed != null && !inbox) {
      throw new CommandFailure(ExitCode.USAGE, "--processed-table needs --inbox");
    }
    return inbox;
  }

  private InboxTables inboxTables() {
    try {
      return processed == null ? InboxTables.own() : InboxTables.ofOneConsumer(processed);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}

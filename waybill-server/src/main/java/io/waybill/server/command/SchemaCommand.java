package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.TableSchema;
import io.waybill.observe.Finding;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.api.Checks;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints, creates and checks the tables. */
@Command(
    name = "schema",
    description = "Print, apply, check or empty the tables of an outbox or an inbox.")
final class SchemaCommand extends Group {
  private static final int COUNTED = 100_000;

  @Command(name = "print", description = "Print the statements that create the tables.")
  int print(
      @Mixin ConfigOptions options,
      @Mixin InboxChoice inbox,
      @Option(
              names = "--schema",
              paramLabel = "NAME",
              description = "Print Waybill's own tables for a schema, without a configuration.")
          @Nullable String schema,
      @Option(
              names = "--database",
              paramLabel = "PRODUCT",
              description =
                  "postgresql, mysql or mariadb. Default: postgresql, or mariadb if the"
                      + " configuration has no PostgreSQL.")
          @Nullable DatabaseKind kind,
      @Option(
              names = "--lanes",
              paramLabel = "N",
              defaultValue = "64",
              description =
                  "Number of lanes, 1 to 1024, unchangeable later. Default: ${DEFAULT-VALUE}.")
          int lanes,
      @Option(
              names = "--documented",
              description =
                  "Print the outbox table that the layout's document has instead, for a new"
                      + " installation.")
          boolean documented,
      @Option(
              names = "--views",
              description = "Print the views that the layout's document has instead.")
          boolean views,
      @Option(
              names = "--grants",
              paramLabel = "WRITER,RELAY,OPERATOR,READER",
              split = ",",
              arity = "1",
              description =
                  "Print the GRANT statements for four roles instead; of an inbox for two:"
                      + " CONSUMER,READER.")
          String @Nullable [] roles,
      @Option(
              names = "--payload-grant",
              paramLabel = "ROLE",
              description = "Print what lets a role of operators or readers read payloads instead.")
          @Nullable String payloads,
      @Option(
              names = "--correction-grant",
              paramLabel = "ROLE",
              description = "Print what lets a role of operators correct events instead.")
          @Nullable String corrections,
      @Option(
              names = "--purge-grant",
              paramLabel = "ROLE",
              description = "Print what lets a role of operators remove dead events instead.")
          @Nullable String purges,
      @Option(
              names = "--login-grant",
              paramLabel = "ROLE",
              description = "Print what lets a role of the API keep logins of browsers instead.")
          @Nullable String logins) {
    SchemaTables tables =
        schema == null
            ? inbox.tables(options.outbox(), kind, lanes)
            : inbox.tables(kind == null ? DatabaseKind.POSTGRESQL : kind, schema, lanes);
    String script = views ? tables.views() : documented ? tables.documented() : tables.print();
    if (payloads != null || corrections != null || purges != null || logins != null) {
      script = granted(() -> given(tables, payloads, corrections, purges, logins));
    }
    spec().commandLine().getOut().print(roles == null ? script : grants(tables, roles));
    spec().commandLine().getOut().flush();
    return ExitCode.OK;
  }

  @Command(
      name = "apply",
      description = "Create or update the tables; a repetition changes nothing.")
  int apply(
      @Mixin ConfigOptions options,
      @Mixin InboxChoice inbox,
      @Mixin Output output,
      @Option(
              names = "--lanes",
              paramLabel = "N",
              defaultValue = "64",
              description =
                  "Number of lanes, 1 to 1024, unchangeable later. Default: ${DEFAULT-VALUE}.")
          int lanes,
      @Option(
              names = "--views",
              description = "Also create or replace the views that the layout's document has.")
          boolean views) {
    StandaloneOutbox outbox = options.outbox();
    SchemaTables tables = inbox.tables(outbox, outbox.kind(), lanes);
    String script = views ? tables.views() : "";
    long began = System.nanoTime();
    try (Connection connection = outbox.connections().open()) {
      String done =
          output.during(
              () -> applying(began),
              () -> {
                String applied = tables.apply(connection);
                TableSchema.run(connection, script);
                return applied;
              });
      if (output.json()) {
        output.object(Map.of("done", done));
      } else {
        output.line(done);
      }
      return ExitCode.OK;
    } catch (SQLException e) {
      throw DatabaseFailure.of(outbox, "apply the schema", e);
    }
  }

  @Command(name = "check", description = "Compare the tables with those that apply would create.")
  int check(@Mixin ConfigOptions options, @Mixin InboxChoice inbox, @Mixin Output output) {
    StandaloneOutbox outbox = options.outbox();
    SchemaTables tables = inbox.tables(outbox, outbox.kind(), 64);
    try (Connection connection = outbox.connections().open()) {
      List<Finding> findings = tables.check(connection);
      output.blocks(
          Findings.rows(outbox.name(), Checks.found(findings)),
          "The tables are as they should be.");
      return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    } catch (SQLException e) {
      throw DatabaseFailure.of(outbox, "check the schema", e);
    }
  }

  @Command(
      name = "empty",
      description = "Remove all events, published or not, while no relay runs.")
  int empty(@Mixin ConfigOptions options, @Mixin ChangeOptions change, @Mixin Output output) {
    StandaloneOutbox outbox = options.outbox();
    try (Admin admin = outbox.admin()) {
      boolean done = change.yes();
      long events =
          done
              ? admin.empty(change.instruction(options.context().user()))
              : Selection.count(admin, EventFilter.ALL, COUNTED);
      if (output.json()) {
        output.object(Map.of("dryRun", !done, "events", events));
      } else if (done) {
        output.line("Removed %d event(s) and all records about them.".formatted(events));
      } else {
        output.line(
            "Would remove %s event(s), published or not. Nothing was changed. Add --yes and"
                    .formatted(events == COUNTED ? "at least " + events : events)
                + " --reason to do it.");
      }
      return ExitCode.OK;
    } catch (IllegalStateException e) {
      throw new CommandFailure(ExitCode.FINDINGS, String.valueOf(e.getMessage()));
    }
  }

  private static String applying(long began) {
    return "The database has been creating tables and indexes for "
        + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)
        + " s";
  }

  private static String grants(SchemaTables tables, String[] roles) {
    List<String> wanted = tables.roles();
    if (roles.length != wanted.size()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--grants needs %d roles, %s, but got %d"
              .formatted(wanted.size(), String.join(",", wanted), roles.length));
    }
    return granted(() -> tables.grants(List.of(roles)));
  }

  /** What the printed grants leave out. */
  private static String given(
      SchemaTables tables,
      @Nullable String payloads,
      @Nullable String corrections,
      @Nullable String purges,
      @Nullable String logins) {
    return (payloads == null ? "" : tables.payloadGrant(payloads))
        + (corrections == null ? "" : tables.correctionGrant(corrections))
        + (purges == null ? "" : tables.purgeGrant(purges))
        + (logins == null ? "" : tables.loginGrant(logins));
  }

  private static String granted(Supplier<String> grants) {
    try {
      return grants.get();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}

package io.waybill.server.command;

import io.waybill.jdbc.DatabaseKind;
import io.waybill.jdbc.Schema;
import io.waybill.jdbc.SchemaOptions;
import io.waybill.observe.Finding;
import io.waybill.server.assemble.Databases;
import io.waybill.server.config.OutboxConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints, creates and checks the tables. */
@Command(name = "schema", description = "Print, apply or check the tables of an outbox.")
final class SchemaCommand extends Group {
  @Command(name = "print", description = "Print the statements that create the tables.")
  int print(
      @Mixin ConfigOptions options,
      @Option(
              names = "--schema",
              paramLabel = "NAME",
              description = "Schema to print for; without it the configuration says.")
          @Nullable String schema,
      @Option(
              names = "--database",
              paramLabel = "PRODUCT",
              defaultValue = "postgresql",
              description = "postgresql, mysql or mariadb. Default: ${DEFAULT-VALUE}.")
          DatabaseKind kind,
      @Option(
              names = "--lanes",
              paramLabel = "N",
              defaultValue = "64",
              description = "Number of lanes, 1 to 1024, for ever. Default: ${DEFAULT-VALUE}.")
          int lanes,
      @Option(
              names = "--grants",
              paramLabel = "WRITER,RELAY,READER",
              split = ",",
              arity = "1",
              description = "Print the GRANT statements for three roles instead.")
          String @Nullable [] roles) {
    String name = schema != null ? schema : options.outbox().table().schema();
    Schema tables = schema(kind, name, lanes);
    spec().commandLine().getOut().print(roles == null ? tables.print() : grants(tables, roles));
    spec().commandLine().getOut().flush();
    return ExitCode.OK;
  }

  @Command(name = "apply", description = "Create or update the tables; again changes nothing.")
  int apply(
      @Mixin ConfigOptions options,
      @Option(
              names = "--lanes",
              paramLabel = "N",
              defaultValue = "64",
              description = "Number of lanes, 1 to 1024, for ever. Default: ${DEFAULT-VALUE}.")
          int lanes) {
    OutboxConfig outbox = options.outbox();
    Schema tables = schema(DatabaseKind.POSTGRESQL, outbox.table().schema(), lanes);
    try (Connection connection = Databases.connections(outbox).open()) {
      int applied = tables.apply(connection);
      spec()
          .commandLine()
          .getOut()
          .println(
              applied == 0 ? "The tables are up to date." : "Applied " + applied + " script(s).");
      return ExitCode.OK;
    } catch (SQLException e) {
      throw DatabaseFailure.of(outbox, "apply the schema", e);
    }
  }

  @Command(name = "check", description = "Compare the tables with what apply would make.")
  int check(@Mixin ConfigOptions options, @Mixin Output output) {
    OutboxConfig outbox = options.outbox();
    Schema tables = Schema.of(SchemaOptions.defaults().schema(outbox.table().schema()));
    try (Connection connection = Databases.connections(outbox).open()) {
      List<Finding> findings = tables.check(connection);
      output.rows(Findings.rows(outbox, findings));
      return findings.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    } catch (SQLException e) {
      throw DatabaseFailure.of(outbox, "check the schema", e);
    }
  }

  private static Schema schema(DatabaseKind kind, String name, int lanes) {
    try {
      return Schema.of(kind, new SchemaOptions(name, lanes));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static String grants(Schema tables, String[] roles) {
    if (roles.length != 3) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--grants needs three roles, WRITER,RELAY,READER, but got " + roles.length);
    }
    try {
      return tables.grants(roles[0], roles[1], roles[2]);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }
}

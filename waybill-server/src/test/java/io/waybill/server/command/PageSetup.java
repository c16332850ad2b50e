package io.waybill.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.database.DatabaseKind;
import io.waybill.jdbc.TableSchema;
import io.waybill.server.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the page for systems that have an outbox says, done with a database and a broker of a test.
 *
 * @param folder for configurations
 * @param kind what the database is
 * @param url JDBC URL of the database, without a user
 */
record PageSetup(Path folder, DatabaseKind kind, String url) {
  /** Values of the variables that the page's configurations name. */
  static final Map<String, String> SECRETS =
      Map.of("SHOP_DB_PASSWORD", "secret", "RABBITMQ_PASSWORD", "guest");

  private static final Path PAGE = Path.of("..", "docs", "from-your-system.md");

  /** Creates the role of the page's relay on a server, and the owner of the schema. */
  static void createRoles(Connection superuser, DatabaseKind kind) throws SQLException {
    TableSchema.run(
        superuser,
        kind == DatabaseKind.POSTGRESQL
            ? """
            create role waybill_relay login password 'secret';
            create role owner superuser login password 'secret'"""
            : """
            create user waybill_relay identified by 'secret';
            create user owner identified by 'secret';
            grant all on *.* to owner with grant option""");
  }

  /** Creates a documented table as its own system does. */
  void createTable(Connection owner, String layout) throws SQLException {
    TableSchema.run(owner, TableSchema.documentedTable(layout, kind));
  }

  /** The first block of code below a heading of the page, without comments of SQL. */
  static String block(String heading, String language) throws IOException {
    Matcher found =
        Pattern.compile(
                "\n##+ " + Pattern.quote(heading) + "\n.*?```" + language + "\n(.*?)```",
                Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(found.find()).as(heading).isTrue();
    return found.group(1).replaceAll("(?m)^--.*\n", "");
  }

  /**
   * Configures a relay, creates what it needs and lets the doctor look, as the page says.
   *
   * @param heading the system's section
   * @param broker the key with the broker's address, and this broker's
   * @param owner of the table
   * @return the configuration of the relay
   */
  Path carryOut(String heading, Map.Entry<String, String> broker, Connection owner)
      throws IOException, SQLException {
    Path config = configure(heading, broker);
    ok(CommandRun.on(config, SECRETS, "config", "check"));
    ok(CommandRun.on(config, asOwner(config), "schema", "apply"));
    CommandRun grants =
        CommandRun.on(
            config, SECRETS, "schema", "print", "--grants", "owner,waybill_relay,owner,owner");
    ok(grants);
    TableSchema.run(owner, grants.out());
    CommandRun doctor = CommandRun.on(config, SECRETS, "doctor", "--json");
    assertThat(doctor.jsonTexts("severity")).as(doctor.out()).doesNotContain("REFUSE");
    return config;
  }

  /** Creates the views that the page tells of. */
  void createViews() throws IOException {
    Path config = folder.resolve("waybill.yaml");
    ok(CommandRun.on(config, asOwner(config), "schema", "apply", "--views"));
  }

  /** The variable that names the owner for one command. */
  private static Map<String, String> asOwner(Path config) throws IOException {
    Matcher outbox = Pattern.compile("outboxes:\n +([a-z-]+):").matcher(Files.readString(config));
    assertThat(outbox.find()).isTrue();
    Map<String, String> environment = new HashMap<>(SECRETS);
    String name = outbox.group(1).replace("-", "").toUpperCase(Locale.ROOT);
    environment.put("WAYBILL_OUTBOXES_" + name + "_DATABASE_USERNAME", "owner");
    return environment;
  }

  private Path configure(String heading, Map.Entry<String, String> broker) throws IOException {
    // The test broker has this user.
    String yaml = block(heading, "yaml").replace("username: waybill\n", "username: guest\n");
    for (Map.Entry<String, String> value : List.of(Map.entry("url", url), broker)) {
      Matcher found = Pattern.compile("(" + value.getKey() + ": ).*").matcher(yaml);
      assertThat(found.find()).as(value.getKey() + " in " + yaml).isTrue();
      yaml = found.replaceFirst(Matcher.quoteReplacement(found.group(1) + value.getValue()));
    }
    return CommandRun.write(folder, "server: {port: -1}\n" + yaml);
  }

  private static void ok(CommandRun run) {
    assertThat(run.code()).as(run.toString()).isEqualTo(ExitCode.OK);
  }
}

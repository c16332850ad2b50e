import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxTables;
import io.waybill.database.SchemaOptions;
import io.waybill.jdbc.InboxSchema;
import io.waybill.jdbc.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Writes Flyway's scripts from the schema, below the folder that is given. The build runs it. */
final class Migrations {
  // Tables on MySQL and MariaDB belong to the database of the connection.
  private static final String ANY_DATABASE = "waybill_database";

  private Migrations() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    for (DatabaseKind kind : DatabaseKind.values()) {
      String vendor = kind.name().toLowerCase(Locale.ROOT);
      String schema = kind == DatabaseKind.POSTGRESQL ? "public" : ANY_DATABASE;
      write(
          folder.resolve("flyway/" + vendor + "/V0_1__waybill_outbox.sql"),
          Schema.of(kind, SchemaOptions.ofDefaults().schema(schema)).print());
      write(
          folder.resolve("flyway-inbox/" + vendor + "/V0_2__waybill_inbox.sql"),
          InboxSchema.of(kind, schema, InboxTables.own()).print());
    }
  }

  private static void write(Path file, String script) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        script
            .replaceAll("create schema if not exists `" + ANY_DATABASE + "`[^;]*;\\n\\n", "")
            .replace("`" + ANY_DATABASE + "`.", ""));
  }
}

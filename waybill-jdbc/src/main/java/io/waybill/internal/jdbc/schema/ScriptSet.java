package io.waybill.internal.jdbc.schema;

import io.waybill.database.SchemaOptions;
import java.util.List;

/**
 * The versioned scripts of what is set up together, and the table that counts them.
 *
 * @param subject what the tables are for
 * @param versions plain name of the table of applied versions
 * @param remedy command that applies the scripts
 * @param scripts the scripts in the order of their versions
 * @param newest newest version that this build knows, also of scripts that are left out here
 */
public record ScriptSet(
    String subject, String versions, String remedy, List<SchemaScript> scripts, int newest) {
  private static final SchemaScript INBOX_SCRIPT = new SchemaScript(1, "V1__inbox.sql");
  private static final SchemaScript PROCESSED = new SchemaScript(2, "V2__processed_events.sql");

  public static final ScriptSet OUTBOX =
      new ScriptSet(
          "outbox",
          "waybill_schema_version",
          "waybill schema apply",
          List.of(new SchemaScript(1, "V1__outbox.sql")),
          1);

  /** The inbox with its own table of processed events. */
  public static final ScriptSet INBOX =
      inbox("waybill schema apply --inbox", INBOX_SCRIPT, PROCESSED);

  /** The inbox beside a table of processed events that is there already. */
  public static final ScriptSet INBOX_BESIDE =
      inbox("waybill schema apply --inbox --processed-table", INBOX_SCRIPT);

  private static ScriptSet inbox(String remedy, SchemaScript... scripts) {
    return new ScriptSet(
        "inbox", "waybill_inbox_version", remedy, List.of(scripts), PROCESSED.version());
  }

  /** The remedy as it is run in the folder of the command. */
  public String command() {
    return "./" + remedy;
  }

  public String filled(String template, SchemaDialect dialect, SchemaOptions options) {
    return SchemaScript.filled(template.replace("${versions}", versions), dialect, options);
  }
}

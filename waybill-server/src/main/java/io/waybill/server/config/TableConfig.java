package io.waybill.server.config;

import io.waybill.jdbc.dialect.RetentionSql;
import io.waybill.jdbc.dialect.SideNames;
import io.waybill.jdbc.dialect.TimeRange;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.layout.OrderColumn;
import io.waybill.layout.SqlName;
import io.waybill.layout.TableName;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an outbox.
 *
 * @param layout which column holds what, and the table's name with its schema
 * @param beside names of the tables beside it
 * @param onPublished what becomes of published rows of Waybill's own table
 * @param retention how long published rows are kept where they are kept; null for ever
 * @param timeRange which rows are relayed, by their creation time
 * @param listen whether relays listen to writers that notify of commits
 */
public record TableConfig(
    Layout layout,
    SideNames beside,
    OnPublished onPublished,
    @Nullable Duration retention,
    TimeRange timeRange,
    boolean listen) {
  private static final Pattern IDENTIFIER = Pattern.compile(SqlName.FORM);
  private static final String RULE = "must match " + SqlName.FORM;

  /** What becomes of published rows. */
  public enum OnPublished {
    /** They are deleted. */
    DELETE,
    /** They are kept for a while. */
    KEEP
  }

  /**
   * Schema of the table; on MySQL and MariaDB its database.
   *
   * @return plain name
   */
  public String schema() {
    return Objects.requireNonNull(layout.table().schema());
  }

  /**
   * Whether it is Waybill's own table.
   *
   * @return false for an adopted table
   */
  public boolean own() {
    return Layouts.isOwn(layout);
  }

  /** What the keys about tables say. */
  record Read(TableConfig table, @Nullable Preset preset) {}

  static Read read(String outbox, Section section, DatabaseConfig database) {
    boolean custom = section.isSection("layout");
    Preset preset = custom ? null : section.choice("layout", Preset.class, Preset.WAYBILL);
    String schema = section.text("schema", IDENTIFIER, RULE, schema(section, database));
    OnPublished fate = fate(section, preset == Preset.WAYBILL);
    boolean listen = section.flag("listen", false);
    if (listen && !(preset == Preset.WAYBILL && database.postgres())) {
      section.problem("listen", "needs Waybill's own table on PostgreSQL");
    }
    Layout layout =
        preset == null
            ? custom(outbox, section, schema)
            : preset(
                section, preset, new TableName(schema, table(section, preset)), fate, database);
    boolean own = preset == Preset.WAYBILL;
    TableConfig table =
        new TableConfig(
            layout,
            beside(section, layout, schema),
            fate,
            retention(section, layout, own),
            timeRange(section, layout),
            listen);
    return new Read(table, preset);
  }

  /** An adopted table belongs to somebody else: nothing is removed unless that is asked for. */
  private static @Nullable Duration retention(Section section, Layout layout, boolean own) {
    boolean given = section.has("retention");
    String refusal = own ? null : RetentionSql.refusal(layout);
    if (given && refusal != null) {
      section.problem("retention", "must be left out: " + refusal);
    }
    Duration age =
        section.duration(
            "retention", Duration.ofDays(7), Duration.ofMinutes(1), Duration.ofDays(3650));
    return own || given ? age : null;
  }

  private static String schema(Section section, DatabaseConfig database) {
    if (database.postgres()) {
      return "public";
    }
    boolean valid = SqlName.isValidOnServer(database.name());
    if (!valid && !section.has("schema") && !database.url().isEmpty()) {
      section.problem(
          "database.url",
          "must match " + SqlName.SERVER_FORM + " in the name of the database",
          database.name());
    }
    return valid ? database.name() : "unknown";
  }

  private static OnPublished fate(Section section, boolean own) {
    OnPublished fate = section.choice("on-published", OnPublished.class, OnPublished.DELETE);
    if (!own && section.has("on-published")) {
      section.problem("on-published", "is for layout waybill: other layouts say so by their state");
    }
    if (own && fate == OnPublished.DELETE && section.has("retention")) {
      section.problem("retention", "needs on-published: keep");
    }
    return fate;
  }

  private static String table(Section section, Preset preset) {
    String name = preset.layout().table().name();
    if (preset == Preset.WAYBILL) {
      if (section.has("table")) {
        section.problem("table", "must be " + name + " for layout waybill; leave it out");
      }
      return name;
    }
    return section.text("table", IDENTIFIER, RULE, name);
  }

  private static Layout preset(
      Section section, Preset preset, TableName table, OnPublished fate, DatabaseConfig database) {
    boolean keep = fate == OnPublished.KEEP && !database.postgres();
    Layout layout = keep && preset == Preset.WAYBILL ? Layouts.WAYBILL_KEEP : preset.layout();
    if (section.has("order")) {
      if (preset == Preset.DEBEZIUM) {
        layout = ordered(section);
      } else {
        section.problem("order", "is for layout debezium; others have an order of their own");
      }
    } else if (preset == Preset.DEBEZIUM) {
      section.warn(
          section.path("order")
              + " is not given: without a column that tells the order, events of one key may be"
              + " published in any order");
    }
    if (preset != Preset.NOTIFICATION && section.has("record")) {
      section.problem("record", "is for layout notification; one's own has it in the layout");
    }
    boolean recorded = preset == Preset.NOTIFICATION && section.flag("record", true);
    return (recorded ? layout : layout.record(null)).table(table);
  }

  private static Layout ordered(Section section) {
    OrderColumn order = LayoutSection.order(section.section("order"));
    if (!SqlName.isValid(order.column())) {
      section.problem("order.column", RULE, order.column());
      return Layouts.DEBEZIUM;
    }
    return Layouts.debezium(order);
  }

  private static Layout custom(String outbox, Section section, String schema) {
    String table = section.required("table", IDENTIFIER, RULE);
    Layout layout =
        LayoutSection.read(section.section("layout"), outbox, table.isEmpty() ? "unknown" : table);
    TableName name = new TableName(schema, table.isEmpty() ? "unknown" : table);
    return layout == null ? Layouts.EVENT_OUTBOX.table(name) : layout.table(name);
  }

  private static TimeRange timeRange(Section section, Layout layout) {
    if (!section.has("time-range")) {
      return TimeRange.ALL;
    }
    if (Layouts.isOwn(layout) || layout.order().createdAt() == null) {
      section.problem("time-range", "is for adopted tables with a creation time");
    }
    Section range = section.section("time-range");
    Instant from = instant(range, "from");
    Instant until = instant(range, "until");
    range.done();
    if (from != null && until != null && !from.isBefore(until)) {
      section.problem("time-range.from", "must be before until " + until, from.toString());
      return TimeRange.ALL;
    }
    return new TimeRange(from, until);
  }

  private static @Nullable Instant instant(Section section, String key) {
    String text = section.text(key).orElse(null);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      section.problem(key, "must be a time in UTC as 2026-01-31T00:00:00Z");
      return null;
    }
  }

  private static SideNames beside(Section section, Layout layout, String usualSchema) {
    String name = layout.table().name();
    boolean own = name.equals(Layouts.WAYBILL.table().name());
    String usual = own ? "waybill_" : "waybill_" + name + "_";
    if (own && section.has("tables-beside")) {
      section.problem("tables-beside", "is for adopted tables");
    }
    Section beside = section.section("tables-beside");
    String schema = beside.text("schema", IDENTIFIER, RULE, usualSchema);
    String prefix =
        beside.text(
            "prefix",
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0," + (SideNames.MAX_PREFIX - 1) + "}"),
            "must be a name of at most " + SideNames.MAX_PREFIX + " characters",
            usual.length() <= SideNames.MAX_PREFIX ? usual : "");
    beside.done();
    if (prefix.isEmpty()) {
      section.problem(
          "tables-beside.prefix",
          "must be given, since the usual one is longer than " + SideNames.MAX_PREFIX,
          usual);
      return new SideNames(schema, "waybill_");
    }
    return new SideNames(schema, prefix);
  }
}

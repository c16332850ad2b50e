package io.waybill.server.config;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The tables of an outbox.
 *
 * @param schema their schema
 * @param onPublished what becomes of published rows
 * @param retention how long published rows are kept, where they are kept
 * @param listen whether relays listen to writers that notify of commits
 */
public record TableConfig(
    String schema, OnPublished onPublished, Duration retention, boolean listen) {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
  private static final String RULE = "must match [A-Za-z_][A-Za-z0-9_]{0,62}";

  /** What becomes of published rows. */
  public enum OnPublished {
    /** They are deleted. */
    DELETE,
    /** They are kept for a while. */
    KEEP
  }

  static TableConfig read(Section section) {
    OnPublished onPublished = section.choice("on-published", OnPublished.class, OnPublished.DELETE);
    if (onPublished == OnPublished.DELETE && section.has("retention")) {
      section.problem("retention", "needs on-published: keep");
    }
    return new TableConfig(
        section.text("schema", IDENTIFIER, RULE, "public"),
        onPublished,
        section.duration(
            "retention", Duration.ofDays(7), Duration.ofMinutes(1), Duration.ofDays(3650)),
        section.flag("listen", false));
  }
}

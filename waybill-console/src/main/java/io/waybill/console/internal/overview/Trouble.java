package io.waybill.console.internal.overview;

import io.waybill.spring.internal.api.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong.
 *
 * @param kind bad, warn or note: how it is marked
 * @param what what is wrong, a few words
 * @param since since when, or null if that is not known
 * @param when what that time is where it is not the beginning, or null
 * @param cause why
 * @param remedy what ends it
 * @param command a command that does so, or null
 * @param asked an option of the command whose value the reader writes, or null
 * @param link where it is seen or ended, relative to the page, or null
 * @param label what the link is called
 * @param role the least that the link's page needs
 */
public record Trouble(
    String kind,
    String what,
    @Nullable Instant since,
    @Nullable String when,
    String cause,
    String remedy,
    @Nullable String command,
    @Nullable String asked,
    @Nullable String link,
    String label,
    Role role) {
  static Trouble of(
      String kind, String what, @Nullable Instant since, String cause, String remedy) {
    return new Trouble(kind, what, since, null, cause, remedy, null, null, null, "", Role.VIEWER);
  }

  /** The same while it is the same, so focus stays where it is when the page renews itself. */
  public String id() {
    return Integer.toHexString((what + link).hashCode());
  }

  Trouble when(@Nullable String called) {
    return new Trouble(kind, what, since, called, cause, remedy, command, asked, link, label, role);
  }

  Trouble command(@Nullable String text) {
    return new Trouble(kind, what, since, when, cause, remedy, text, null, link, label, role);
  }

  /** A command that ends with an option whose value the reader writes. */
  Trouble command(@Nullable String text, String option) {
    return new Trouble(
        kind,
        what,
        since,
        when,
        cause,
        remedy,
        text,
        text == null ? null : option,
        link,
        label,
        role);
  }

  Trouble link(String to, String called, Role least) {
    return new Trouble(kind, what, since, when, cause, remedy, command, asked, to, called, least);
  }
}

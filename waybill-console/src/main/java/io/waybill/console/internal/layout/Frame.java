package io.waybill.console.internal.layout;

import io.waybill.spring.internal.api.Role;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/**
 * What stands around a page.
 *
 * @param title what the page is called
 * @param path its address below that of the outbox
 * @param root address of the application, relative to the page
 * @param outbox name of the outbox; empty if the page is about none
 * @param outboxes those that the caller may look at
 * @param user name of the caller
 * @param csrf the token that forms send, or null if none is needed
 * @param theme dark, light, or empty for that of the browser
 * @param assets addresses of styles and scripts below that of the assets, by name
 * @param problem why something could not be done, or null
 * @param may whether the caller has a role for the outbox
 * @param requests what the page asked the API, as commands for a shell; empty if the API has no
 *     addresses
 * @param traces where a trace is shown, with a place for its id, or null
 */
public record Frame(
    String title,
    String path,
    String root,
    String outbox,
    List<String> outboxes,
    String user,
    @Nullable Csrf csrf,
    String theme,
    Map<String, String> assets,
    @Nullable String problem,
    Predicate<Role> may,
    List<String> requests,
    @Nullable String traces) {
  /** The pages of an outbox, in their order. */
  public static final List<Entry> ENTRIES =
      List.of(
          new Entry("overview", "Overview"),
          new Entry("failures", "Failures"),
          new Entry("keys", "Blocked keys"),
          new Entry("destinations", "Destinations"),
          new Entry("events", "Events"),
          new Entry("relays", "Relays"),
          new Entry("storage", "Storage"),
          new Entry("checks", "Checks"),
          new Entry("jobs", "Jobs"),
          new Entry("audit", "Audit"),
          new Entry("dead-letters", "Dead letters"),
          new Entry("inbox", "Inbox"));

  /** A page in the navigation. */
  public record Entry(String path, String label) {}

  /** The token against forms of other sites. */
  public record Csrf(String name, String token) {}

  /** The address of a style or a script. */
  public String asset(String name) {
    return root + "console/assets/" + assets.get(name);
  }

  /** The address of the same page of another outbox, or of its first one. */
  public String of(String other) {
    boolean same = ENTRIES.stream().anyMatch(entry -> entry.path().equals(path));
    return "../"
        + UriUtils.encodePathSegment(other, StandardCharsets.UTF_8)
        + "/"
        + (same ? path : ENTRIES.get(0).path());
  }

  /** Where a trace is shown; null if nobody has said where. */
  public @Nullable String trace(String id) {
    return traces == null ? null : traces.replace("{trace-id}", id);
  }

  /** The name of a role that the caller lacks; null if the caller has it. */
  public @Nullable String lacks(Role role) {
    return may.test(role) ? null : role.role();
  }
}

package io.waybill.console.internal.checks;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.observe.Finding;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.Checks;
import org.jspecify.annotations.Nullable;

/** What the start-up checks find now, the worst first. */
public final class ChecksPage implements Page {
  private static final int AWAY = 503;

  /**
   * The page.
   *
   * @param checks as the API has them; null if they could not be made
   * @param missing why there are none, or null
   */
  public record Checked(@Nullable Checks checks, @Nullable String missing) {
    /** How a finding is marked. */
    public static String kind(Finding.Severity severity) {
      return switch (severity) {
        case REFUSE -> "bad";
        case WARN -> "warn";
        case NOTE -> "note";
      };
    }

    /** What a finding means for a relay. */
    public static String effect(Finding.Severity severity) {
      return switch (severity) {
        case REFUSE -> "No relay starts";
        case WARN -> "A relay starts, and warns";
        case NOTE -> "Nothing is wrong";
      };
    }
  }

  /** For the console. */
  public ChecksPage() {}

  @Override
  public String path() {
    return "checks";
  }

  @Override
  public View show(Visit visit) {
    return new View("checks/checks.jte", "Checks", checked(visit));
  }

  /** What takes its time, or is away, comes later: the page asks again. */
  private static Checked checked(Visit visit) {
    try {
      return new Checked(visit.ask("/checks", Checks.class), null);
    } catch (ApiProblem problem) {
      if (problem.status() != AWAY) {
        throw problem;
      }
      return new Checked(null, String.valueOf(problem.getMessage()));
    }
  }
}

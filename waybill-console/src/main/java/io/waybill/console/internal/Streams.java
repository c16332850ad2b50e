package io.waybill.console.internal;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.spring.internal.api.ApiCaller;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.Feed;
import io.waybill.spring.internal.api.OutboxApi;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Parts of pages that renew themselves, read once for all who look. Thread-safe. */
final class Streams {
  private static final Map<String, String[]> NOW = Map.of("part", new String[] {"now"});

  private final OutboxApi api;
  private final Map<String, Feed> feeds = new ConcurrentHashMap<>();

  Streams(OutboxApi api) {
    this.api = api;
  }

  /**
   * The part of a page, again and again, as a {@link View}.
   *
   * @param outbox name of an outbox that there is
   */
  Feed of(Page page, String outbox) {
    // It is shown to those alone who may look.
    ApiCaller all = new ApiCaller(api, "console", role -> true);
    return feeds.computeIfAbsent(
        page.path() + " " + outbox,
        unused -> api.feed(() -> page.show(new Visit(all, outbox, NOW))));
  }

  /**
   * Tells one who looks what has changed.
   *
   * @param html makes the part
   */
  static Function<Object, String> news(Function<View, String> html) {
    return new News(html);
  }

  /** For one thread at a time. */
  private static final class News implements Function<Object, String> {
    private final Function<View, String> html;
    private String last = "";

    News(Function<View, String> html) {
      this.html = html;
    }

    /** That nothing is new is said, too: else the page could not tell it from silence. */
    @Override
    public String apply(Object said) {
      if (said instanceof ApiProblem problem) {
        return "event: problem\ndata: " + problem.status() + "\n\n";
      }
      String part = html.apply((View) said);
      boolean same = part.equals(last);
      last = part;
      return same
          ? "event: same\ndata: -\n\n"
          : part.lines().map(line -> "data: " + line).collect(Collectors.joining("\n", "", "\n\n"));
    }
  }
}

package io.waybill.server.command;

import static io.waybill.server.command.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What holds for each page of the console, whatever it shows. */
final class ConsolePage {
  private static final Pattern TITLE = Pattern.compile("<title>(.*?)</title>");
  private static final Pattern HEADING = Pattern.compile("<h1>(.*?)</h1>");
  private static final Pattern ADDRESS = Pattern.compile("(?:href|src|hx-get)=\"([^\"]*)\"");

  private ConsolePage() {}

  /** A page without an error, with this title, under the policy. */
  static void check(HttpResponse<String> page, String title) {
    checkPart(page);
    assertThat(TITLE.matcher(page.body()).results().map(each -> each.group(1)))
        .containsExactly(title + " · orders · Waybill");
    assertThat(HEADING.matcher(page.body()).results().map(each -> each.group(1)))
        .containsExactly(title);
    assertThat(page.body()).contains("href=\"#content\"");
  }

  /** The same of a part of a page, which has no title. */
  static void checkPart(HttpResponse<String> page) {
    assertThat(page.statusCode()).as(page.uri() + ": " + page.body()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    checkPolicy(page);
    assertThat(page.body())
        .doesNotContain("class=\"problem\">", " style=", "<style", " onclick", "javascript:")
        .doesNotContainPattern("<script(?! src=)");
    assertThat(addresses(page))
        .allMatch(link -> !link.startsWith("/") && !link.contains("://"), "stays below its path");
  }

  static void checkPolicy(HttpResponse<String> page) {
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*", "http");
    assertThat(header(page, "Cache-Control")).contains("no-store");
  }

  /** All addresses that it names, assets included. */
  static Stream<String> addresses(HttpResponse<String> page) {
    return ADDRESS
        .matcher(page.body())
        .results()
        .map(each -> each.group(1).replace("&amp;", "&").replace("&#39;", "'"));
  }

  /** Other pages of the same outbox that it leads to, and its own parts. */
  static List<String> links(HttpResponse<String> page) {
    return addresses(page)
        .filter(link -> !link.contains("/") && !link.startsWith("#"))
        .distinct()
        .toList();
  }

  /** The only title. */
  static String title(HttpResponse<String> page) {
    return HEADING
        .matcher(page.body())
        .results()
        .map(each -> each.group(1))
        .findFirst()
        .orElse("a page without a heading");
  }
}

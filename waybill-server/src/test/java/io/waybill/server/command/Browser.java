package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.testkit.Patience;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a browser does with the pages of a login: cookies, forms, and no redirect by itself. */
final class Browser {
  private static final Pattern HIDDEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");
  private static final Pattern COOKIE = Pattern.compile("([^=;]+)=([^;]*)(.*)");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> cookies = new TreeMap<>();
  private final Map<String, String> headers = new HashMap<>();
  private String base;

  /** Looks at an instance, or at the proxy before several. */
  Browser(String base) {
    this.base = base;
  }

  /** Goes to another instance with the same cookies, as a balancer does. */
  Browser at(String other) {
    base = other;
    return this;
  }

  Browser header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Its cookies by name. */
  Map<String, String> cookies() {
    return cookies;
  }

  /** Looks at a page. */
  HttpResponse<String> page(String path) throws Exception {
    return send(request(path).header("Accept", "text/html,*/*;q=0.8").GET());
  }

  /** Asks as a script of a page does. */
  HttpResponse<String> fetch(String path) throws Exception {
    return send(request(path).header("Sec-Fetch-Mode", "cors").GET());
  }

  /** Sends the form of a login. */
  HttpResponse<String> login(String user, String password, String to) throws Exception {
    return form(
        "/login", Map.of("user", user, "password", password, "to", to, "_csrf", hidden("/login")));
  }

  HttpResponse<String> login(String user) throws Exception {
    return login(user, ApiServer.password(user), "");
  }

  HttpResponse<String> logout() throws Exception {
    return form("/logout", Map.of("_csrf", hidden("/login")));
  }

  /** The token that a page's form has. */
  String hidden(String path) throws Exception {
    Matcher matcher = HIDDEN.matcher(page(path).body());
    return matcher.find() ? matcher.group(1) : "";
  }

  HttpResponse<String> form(String path, Map<String, String> fields) throws Exception {
    String body =
        fields.entrySet().stream()
            .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    return raw(path, body);
  }

  /** A form whose fields may be repeated. */
  HttpResponse<String> raw(String path, String body) throws Exception {
    return send(
        request(path)
            .header("Accept", "text/html,*/*;q=0.8")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(body)));
  }

  /** A change by a script, which knows a token or not. */
  HttpResponse<String> change(String path, String body, String token) throws Exception {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .header("Sec-Fetch-Mode", "cors")
            .POST(BodyPublishers.ofString(body));
    return send(token.isEmpty() ? request : request.header("X-CSRF-TOKEN", token));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Patience.of(Duration.ofSeconds(20)));
    headers.forEach(request::header);
    return request;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    if (!cookies.isEmpty()) {
      request.header(
          "Cookie",
          cookies.entrySet().stream()
              .map(each -> each.getKey() + "=" + each.getValue())
              .collect(Collectors.joining("; ")));
    }
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    for (String line : answer.headers().allValues("Set-Cookie")) {
      Matcher cookie = COOKIE.matcher(line);
      if (cookie.matches() && cookie.group(3).contains("Max-Age=0")) {
        cookies.remove(cookie.group(1));
      } else if (cookie.matches()) {
        cookies.put(cookie.group(1), cookie.group(2));
      }
    }
    return answer;
  }

  static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }
}

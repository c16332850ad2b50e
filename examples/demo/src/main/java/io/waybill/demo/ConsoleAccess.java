package io.waybill.demo;

import io.waybill.proof.server.FreePort;
import io.waybill.server.access.Passwords;
import io.waybill.server.access.UserLine;
import io.waybill.server.access.UsersFile;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the console is, and the one login of this run. Thread-safe.
 *
 * @param port the console's, of the loopback interface
 * @param users the file with that login
 * @param password of the user {@link #USER}
 */
record ConsoleAccess(int port, Path users, String password) {
  static final String USER = "demo";

  private static final int PASSWORD_LENGTH = 16;
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

  /** Makes up a password and writes the file. */
  static ConsoleAccess in(Path folder) throws IOException {
    String password = secret();
    Path users = folder.resolve("users");
    UsersFile.put(
        users, new UserLine(USER, List.of("administrator"), Passwords.hashOfToken(password)));
    return new ConsoleAccess(FreePort.find(), users, password);
  }

  /** Random text that can be typed. */
  static String secret() {
    return Passwords.token().substring(0, PASSWORD_LENGTH);
  }

  /** What the configuration of the relay that serves the console has of it. */
  String yaml() {
    return """
        api:
          enabled: true
          users: %s
          login:
            idle: 12h
        """
        .formatted(users);
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** The address of a page of the console. */
  String page(String name) {
    return address() + "/console/outboxes/" + RelayProcess.OUTBOX + "/" + name;
  }

  /** Logs in by the form, as a browser does; nothing while the console is away. */
  Optional<HttpCookie> login() {
    CookieManager cookies = new CookieManager();
    HttpClient client =
        HttpClient.newBuilder().cookieHandler(cookies).connectTimeout(LIMIT).build();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address() + "/login")).timeout(LIMIT);
    try {
      Matcher token = TOKEN.matcher(client.send(request.build(), BodyHandlers.ofString()).body());
      if (!token.find()) {
        return Optional.empty();
      }
      String form = "user=%s&password=%s&_csrf=%s".formatted(USER, password, token.group(1));
      int status =
          client
              .send(
                  request
                      .header("Content-Type", "application/x-www-form-urlencoded")
                      .POST(BodyPublishers.ofString(form))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode();
      return status == 303
          ? cookies.getCookieStore().getCookies().stream().findFirst()
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}

package io.waybill.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.options.ColorScheme;
import io.waybill.it.RelayProcess;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * A console as a process of its own, with one administrator.
 *
 * @param url address of its server
 */
record RunningConsole(String url) {
  private static final String USER = "oncall";
  private static final String PASSWORD = "a secret of the night";
  private static final Duration LIMIT = Patience.of(Duration.ofMinutes(2));
  private static final Pattern ADDRESS =
      Pattern.compile("console on (http://127[.]0[.]0[.]1:\\d+)/console");

  /** Starts it, and waits until it answers. */
  static RunningConsole start(
      ProcessGuard guard, Path folder, Path configuration, Map<String, String> environment)
      throws IOException {
    Path users = folder.resolve("users");
    Files.writeString(users, USER + ":administrator:{sha256}" + hash());
    Map<String, String> all = new HashMap<>(environment);
    all.put("SERVER_PORT", "0");
    all.put("WAYBILL_API_USERS", users.toString());
    RelayProcess console =
        RelayProcess.of(
            guard,
            folder,
            "console",
            all,
            RelayProcess.command(
                RelayProcess.THIS_BUILD, "console", "--config", configuration.toString()));
    return Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> {
              Matcher address = ADDRESS.matcher(console.log());
              return new RunningConsole(address.find() ? address.group(1) : "");
            },
            started -> !started.url().isEmpty());
  }

  private static String hash() {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(PASSWORD.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Somebody who has logged in. */
  Person enter(Chromium chromium, int width, ColorScheme scheme) {
    return chromium.person(url, width, scheme).login(USER, PASSWORD);
  }
}

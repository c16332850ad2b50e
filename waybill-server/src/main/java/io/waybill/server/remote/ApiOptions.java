package io.waybill.server.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.internal.text.Loopback;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a command works through an API instead of a database. */
public final class ApiOptions {
  private static final String VARIABLE = "WAYBILL_TOKEN";
  private static final int MOST_BYTES = 16 << 10;
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]+");

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "Work through the API there instead of a database: its address before /api/v1, for example"
              + " https://ops.example/waybill.")
  private @Nullable String url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "With --url: file with the login, a token or NAME:PASSWORD. Default: $WAYBILL_TOKEN.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--plaintext",
      description = "With --url: send the login to another machine without TLS.")
  private boolean plaintext;

  /** Filled by picocli. */
  public ApiOptions() {}

  /**
   * Whether an API is meant.
   *
   * @return its address as it was given, or empty
   */
  public Optional<String> url() {
    if (url == null && (tokenFile != null || plaintext)) {
      throw usage((tokenFile == null ? "--plaintext" : "--token-file") + " goes with --url");
    }
    return Optional.ofNullable(url);
  }

  /**
   * The API.
   *
   * @param environment may have the login
   */
  public ApiClient client(Map<String, String> environment) {
    URI api = address(url().orElseThrow());
    String login = login(environment);
    if (login != null && !api.getScheme().equals("https") && !isAllowed(api)) {
      throw usage(
          "--url must begin with https:// or lead to this machine, or the login goes over the"
              + " network in plaintext, which --plaintext allows; it is '%s'".formatted(api));
    }
    return new ApiClient(api, login);
  }

  private boolean isAllowed(URI api) {
    return plaintext || Loopback.isHost(api.getHost());
  }

  private static URI address(String given) {
    URI api;
    try {
      api = new URI(given.replaceFirst("/*(/api/v1/*)?$", ""));
    } catch (URISyntaxException e) {
      throw notAnAddress("is '" + given.replaceAll("//.*@", "//...@") + "'");
    }
    if (api.getRawUserInfo() != null) {
      throw notAnAddress("has a login, which --token-file gives");
    }
    boolean http = "http".equals(api.getScheme()) || "https".equals(api.getScheme());
    if (!http
        || api.getHost() == null
        || api.getRawQuery() != null
        || api.getRawFragment() != null) {
      throw notAnAddress("is '" + given + "'");
    }
    return api;
  }

  private static CommandFailure notAnAddress(String is) {
    return usage("--url must be as in https://ops.example/waybill, but " + is);
  }

  /** The header by which the caller logs in, or null without a login. */
  private @Nullable String login(Map<String, String> environment) {
    String given = environment.getOrDefault(VARIABLE, "").strip();
    String origin = VARIABLE;
    if (tokenFile != null) {
      given = read(tokenFile);
      origin = "--token-file " + tokenFile;
      if (given.isEmpty()) {
        throw usage(origin + " must have a token or NAME:PASSWORD, but is empty");
      }
    }
    if (given.isEmpty()) {
      return null;
    }
    if (given.indexOf(':') > 0) {
      return "Basic " + Base64.getEncoder().encodeToString(given.getBytes(UTF_8));
    }
    if (!TOKEN.matcher(given).matches()) {
      throw usage(origin + " must have a token or NAME:PASSWORD, but has another text");
    }
    return "Bearer " + given;
  }

  private static String read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw usage("--token-file %s must have at most %d bytes".formatted(file, MOST_BYTES));
      }
      return new String(bytes, UTF_8).strip();
    } catch (IOException e) {
      throw usage("--token-file %s cannot be read: %s".formatted(file, e));
    }
  }

  private static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }
}
